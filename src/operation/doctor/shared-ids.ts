/** Carriers that give several messages the same id. */
import type { Queryable } from '#platform/db/database.ts';
import { sharedIds } from '#product/sending/report/segments/store.ts';
import type { Finding } from './finding.ts';

export async function* checkSharedIds(db: Queryable): AsyncGenerator<Finding> {
  for (const { gateway, id, at } of await sharedIds(db)) {
    const message = `${gateway} gives several messages the id ${JSON.stringify(id.slice(0, 60))}: its delivery reports count for none of them, which stay "accepted"; ask the carrier for ids of their own (SMPP 3.4, 4.4.2), or for user_message_reference in receipts`;
    yield { kind: 'sharedId', workshopId: null, code: null, at, message, repaired: false };
  }
}
