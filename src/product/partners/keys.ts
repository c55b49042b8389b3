/** Creates and deletes further app keys of a partner. */

import { notOf } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Credentials } from './create.ts';
import { hashSecret, newAppKey, newSecret } from './secret.ts';
import { deleteAppKey, insertAppKey, requirePartner } from './store.ts';
import { ofPartner } from './trail.ts';

/** Throws OperatorError when there is no such partner. */
export async function createKey(
  context: ChangeContext,
  partnerId: string,
  actor: Actor,
): Promise<Credentials> {
  const { db } = context;
  const partner = await requirePartner(db, partnerId);
  const credentials = { partnerId: partner.partnerId, appKey: newAppKey(), secret: newSecret() };
  const secretHash = await hashSecret(credentials.secret);
  const { appKey } = credentials;
  await change(context, async ({ tx, now: at }) => {
    await insertAppKey(tx, { id: appKey, partnerId: partner.partnerId, secretHash, at });
    await recordEntry(tx, { ...ofPartner(actor, partner.partnerId, 'keyCreated', at), after: { appKey } });
  });
  return credentials;
}

/** Deletes the key's sign-ins and tokens too. Throws OperatorError when there is no such partner or key. */
export async function deleteKey(
  context: ChangeContext,
  partnerId: string,
  appKey: string,
  actor: Actor,
): Promise<void> {
  const { db } = context;
  await requirePartner(db, partnerId);
  await change(context, async ({ tx, now }) => {
    if (!(await deleteAppKey(tx, partnerId, appKey))) {
      throw notOf({ what: 'partner', id: partnerId }, 'app key', appKey);
    }
    await recordEntry(tx, { ...ofPartner(actor, partnerId, 'keyDeleted', now), before: { appKey } });
  });
}
