/** The job behind a dead letter of the relay: when an operator retries it, its event waits again. */
import type { Context } from '#context.ts';
import { payloadText } from '#work/job.ts';
import { releaseEvent } from './store.ts';

export async function relayAgain(ctx: Context, payload: unknown): Promise<void> {
  await releaseEvent(ctx.db, payloadText(payload, 'eventId'));
  ctx.nudgeRelay();
}
