/** A queued text leads to the job that sends it. */
import type { Planner } from '#events/reaction.ts';

const sendJob = 'sendQueued';

export const sendQueuedMessages: Planner = async (_tx, events) =>
  events.map(({ subjectId }) => ({ job: sendJob, payload: { messageId: subjectId } }));
