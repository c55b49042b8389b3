/** What follows from a new booking for the calls of its customer (specification: Call leads 2). */
import type { Planner } from '#platform/events/reaction.ts';
import { recordBookedCalls } from './store.ts';

/** Tells of calls whose first booking it is: reads show it at once, and `callLead.updated` says so to those that follow events. */
export const tellOfBookedCalls: Planner = (tx, events, { clock }) =>
  recordBookedCalls(
    tx,
    events.map(({ id }) => id),
    clock.now(),
  );
