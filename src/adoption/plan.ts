/** Replies and confirmations that a process of the release before has stored: their event is all that stands for them yet. */
import type { Planner } from '#events/reaction.ts';
import { queueStored } from './store.ts';

export const queueOldMessages: Planner = async (tx, events) => {
  await queueStored(
    tx,
    events.map(({ subjectId: id }) => ({ id, tries: 0, dueAt: null, waitsSince: null })),
  );
};
