/** A partner's endpoint by the id of a request. */

import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { Webhook } from './schema.ts';
import { findWebhook } from './store.ts';

/** The partner's own endpoint. Throws 404 110001. */
export async function requireWebhook(db: Queryable, partnerId: string, id: string): Promise<Webhook> {
  const webhook = isId(id) ? await findWebhook(db, partnerId, id) : null;
  if (webhook === null) throw new Problem('110001');
  return webhook;
}
