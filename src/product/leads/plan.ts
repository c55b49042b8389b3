/** Updates the calls of a customer after a new booking (specification: Call leads 2). */
import type { Planner } from '#platform/events/reaction.ts';
import { recordBookedCalls } from './store.ts';

/** Writes `callLead.updated` for calls whose first booking it is, for followers of events; reads show the booking without it. */
export const tellOfBookedCalls: Planner = (tx, events, { clock }) =>
  recordBookedCalls(
    tx,
    events.map(({ id }) => id),
    clock.now(),
  );
