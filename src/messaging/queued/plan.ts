/** A queued text leads to the job that sends it. */
import type { Planner } from '#events/reaction.ts';
import { flagsOf } from '#work/flags.ts';
import { smsGatewaysOf } from '#workshops/store.ts';

const sendJob = 'sendQueued';

export const sendQueuedMessages: Planner = async (tx, events) => {
  const gateways = await smsGatewaysOf(
    tx,
    events.map(({ workshopId }) => workshopId),
  );
  return events.map(({ subjectId, workshopId }) => ({
    job: sendJob,
    payload: { messageId: subjectId },
    flags: flagsOf({ channel: 'sms', workshopId, smsGateways: gateways.get(workshopId) ?? null }),
  }));
};
