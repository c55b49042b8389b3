/** What follows when an attempt at a notice may have arrived although no acceptance was recorded. */
import type { Context } from '#context.ts';
import { lookUpSms } from '#gateways/sms/send.ts';
import { timeOfId } from '#values/id.ts';
import { JobFailure } from '#work/job.ts';
import { notAsked } from '#work/postponed.ts';
import { type Asked, type Doubt, type NoticeTable, recordAttempt } from './store.ts';

/** Whoever is sending has an answer by then, or is gone: the gateway has 10 seconds. */
const staleAfterMs = 15_000;
/** How long a delivery report may settle it, where the gateway can't be asked. */
const waitForReportMs = 60_000;
const reason = 'unknownOutcome';

/**
 * Asks the gateway, and returns what may be followed by another attempt; null when the notice turns out to be sent. Throws
 * JobFailure when it is to be asked again later, and Postponed when it is left alone for now. Where the gateway can't be asked at all the notice is sent again, once:
 * a notice that comes twice is the smaller evil than one that never comes.
 */
export async function settleDoubt(
  { db, sms, clock }: Context,
  table: NoticeTable,
  id: string,
  doubt: Doubt,
): Promise<Asked | null> {
  const { attemptId } = doubt;
  // By the machine clock, which the attempt's id tells: a business clock that is moved is no time that has passed.
  const begunAt = timeOfId(attemptId) ?? doubt.since;
  const waitedMs = clock.machineNow().getTime() - begunAt.getTime();
  if (doubt.state === 'sending' && waitedMs < staleAfterMs) {
    throw new JobFailure('sending', 'Another worker is sending it, or has died while it was.');
  }
  const found = await lookUpSms(sms, attemptId, doubt.gateway);
  if (found.state === 'notFound') return { attemptId, repeatsUnknown: false };
  if (found.state === 'accepted') {
    const { gatewayId, gateway = null } = found;
    const accepted = { state: 'accepted', reason: null, detail: null, gatewayId, gateway } as const;
    await recordAttempt(db, table, { id, attemptId }, accepted, clock.now());
    return null;
  }
  if (found.permanent && !doubt.repeatsUnknown && waitedMs >= waitForReportMs) {
    return { attemptId, repeatsUnknown: true };
  }
  const detail = found.permanent
    ? 'It is not known whether the SMS was sent; no delivery report has come yet.'
    : 'The gateway does not say for now whether it has the SMS.';
  if (doubt.state === 'sending') {
    const unknown = { state: 'unknown', reason, detail, gatewayId: null } as const;
    await recordAttempt(db, table, { id, attemptId }, unknown, clock.now());
  }
  throw found.notAsked ? notAsked(found, null) : new JobFailure(reason, detail);
}
