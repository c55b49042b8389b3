/** Plans replies and confirmations that a process of the previous release has stored: so far only their event exists. */
import type { Planner } from '#events/reaction.ts';
import { queueStored } from './store.ts';

export const queueOldMessages: Planner = async (tx, events) => {
  await queueStored(
    tx,
    events.map(({ subjectId: id }) => ({ id, tries: 0, dueAt: null, waitsSince: null })),
  );
};
