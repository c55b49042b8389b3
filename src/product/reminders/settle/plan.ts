/** Updates a reminder after an event of its message. */

import { actors } from '#base/values/actor.ts';
import type { Planner } from '#platform/events/reaction.ts';
import { settleReminders } from './store.ts';

/** For a reminder that was sent in a request this changes nothing, unless the process died before it recorded the outcome. */
export const settleRemindersOfMessages: Planner = (tx, events, { clock }) =>
  settleReminders(
    tx,
    events.map(({ subjectId }) => subjectId),
    clock.now(),
    actors.schedule,
  );
