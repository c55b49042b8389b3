/** Looks for the place of a kept SMS again, when an operator retries its dead letter. */
import type { Queryable } from '#db/database.ts';
import { OperatorError } from '#operator-error.ts';
import { placeSmsIn } from '../receive.ts';
import { noPlace } from './keep.ts';
import { deleteUnplaced, findUnplaced } from './store.ts';

/** In the caller's transaction; `now` is business time. Throws OperatorError while it still belongs nowhere. */
export async function placeUnplaced(tx: Queryable, unplacedId: string, now: Date): Promise<void> {
  const sms = await findUnplaced(tx, unplacedId);
  if (sms === null) return;
  const placed = await placeSmsIn(tx, sms.gateway, sms, now);
  if (placed.messageId === null && !placed.repeated) throw new OperatorError(noPlace.detail);
  await deleteUnplaced(tx, unplacedId);
}
