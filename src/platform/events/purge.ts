/** Deletes events that were relayed long ago: a notice that is still queued after that time is useless. */
import type { Context } from '#platform/context.ts';
import { inSteps } from '#platform/db/in-steps.ts';
import { deleteRelayedEvents } from './store.ts';

export const eventsKeptDays = 30;

/** Deletes old events in small steps; returns how many. */
export async function purgeEvents(ctx: Context): Promise<number> {
  return inSteps((atMost) => deleteRelayedEvents(ctx.db, eventsKeptDays, atMost));
}
