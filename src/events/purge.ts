/** Deletes events that were relayed long ago: a notice that is still queued after so long has no use. */
import type { Context } from '#context.ts';
import { deleteRelayedEvents } from './store.ts';

export const eventsKeptDays = 30;
const atOnce = 1_000;

/** Deletes old events in small steps; returns how many. */
export async function purgeEvents(ctx: Context): Promise<number> {
  let deleted = 0;
  for (;;) {
    const step = await deleteRelayedEvents(ctx.db, eventsKeptDays, atOnce);
    deleted += step;
    if (step < atOnce) return deleted;
  }
}
