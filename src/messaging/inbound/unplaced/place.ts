/** The job that looks for the place of a kept SMS again, when an operator retries its dead letter. */
import type { Context } from '#context.ts';
import { PermanentFailure, payloadText } from '#work/job.ts';
import { placeSms } from '../receive.ts';
import { noPlace } from './keep.ts';
import { deleteUnplaced, findUnplaced } from './store.ts';

/** The payload names the SMS (`unplacedId`). Throws PermanentFailure while it still belongs nowhere. */
export async function placeInbound(ctx: Context, payload: unknown): Promise<void> {
  const id = payloadText(payload, 'unplacedId');
  const sms = await findUnplaced(ctx.db, id);
  if (sms === null) return;
  const placed = await placeSms(ctx, sms.gateway, sms);
  if (placed.messageId === null && !placed.repeated)
    throw new PermanentFailure(noPlace.reason, noPlace.detail);
  // After a crash in between, the next run finds it repeated.
  await deleteUnplaced(ctx.db, id);
}
