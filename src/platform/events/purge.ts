/** Deletes events that were relayed long ago: a notice that is still queued after that time is useless. */
import type { Context } from '#platform/context.ts';
import { inBatches } from '#platform/db/in-batches.ts';
import { deleteRelayedEvents } from './store.ts';

export const eventsKeptDays = 30;

/** Deletes old events in small steps; returns how many. */
export async function purgeEvents(ctx: Context): Promise<number> {
  return inBatches((atMost) => deleteRelayedEvents(ctx.db, eventsKeptDays, atMost));
}
