/** What follows for a reminder from an event of its message. */

import { actors } from '#base/values/actor.ts';
import type { Planner } from '#platform/events/reaction.ts';
import { settleReminders } from './store.ts';

/** Of one that was sent in a request this changes nothing, unless the request's process died before it could say so. */
export const settleRemindersOfMessages: Planner = (tx, events, { clock }) =>
  settleReminders(
    tx,
    events.map(({ subjectId }) => subjectId),
    clock.now(),
    actors.schedule,
  );
