/** Sends through a gateway with the time-out that holds for all of them; never rejects. */
import { setImmediate } from 'node:timers/promises';
import { systemTimers, type Timers } from '#gateways/limiter/timers.ts';
import { redactedGatewayText } from '#values/redacted-gateway-text.ts';
import {
  type HandedOver,
  type OutboundSms,
  type SmsGateway,
  type SmsLookUp,
  type SmsOutcome,
  smsTimeoutMs,
} from './gateway.ts';

/** The result of `work`, which never rejects; `late` when it does not settle in time, nor at once when it is aborted. */
async function within<T>(
  work: (signal: AbortSignal) => Promise<T>,
  late: T,
  after: Timers['after'],
  timeoutMs = smsTimeoutMs,
): Promise<T> {
  const controller = new AbortController();
  const { promise: timeout, resolve } = Promise.withResolvers<'over'>();
  const answeredInTime = after(timeoutMs, () => {
    controller.abort();
    resolve('over');
  });
  try {
    const working = work(controller.signal);
    const answer = await Promise.race([working, timeout]);
    // Work that was aborted says how far it came: still waiting for a permit, or which gateway of a list had it.
    return answer === 'over' ? await Promise.race([working, setImmediate(late)]) : answer;
  } finally {
    answeredInTime();
  }
}

const failed: SmsOutcome = { state: 'unknown', detail: 'The gateway failed before it answered.' };
const notInTime: SmsOutcome = {
  state: 'unknown',
  detail: `The gateway did not answer within ${smsTimeoutMs / 1000} seconds.`,
};

/** With the ten seconds of a hand-over, shorter than the lease of its attempt. */
const beginsWithinMs = 5_000;

/**
 * What becomes of a hand-over that was recorded as begun at `begunAt`, machine time, and begins only now because the process
 * or its database stood still: nothing, since others may be about to send in its place. Null when it is not too late.
 */
export function tooLate(begunAt: Date, now: Date): SmsOutcome | null {
  if (now.getTime() - begunAt.getTime() <= beginsWithinMs) return null;
  const detail = 'The service was too slow to hand it over; nothing was handed over.';
  return { state: 'refused', permanent: false, reason: 'gatewayUnavailable', detail, notAsked: true };
}

/**
 * What the gateway says of a failure comes without addresses, credentials and phone numbers. `timeoutMs` is another time-out
 * than the usual one, and `after` another time, for tests.
 */
export async function sendSms(
  gateway: SmsGateway,
  sms: OutboundSms,
  timeoutMs = smsTimeoutMs,
  after = systemTimers.after,
): Promise<SmsOutcome> {
  const outcome = await within((signal) => sendOrUnknown(gateway, sms, signal), notInTime, after, timeoutMs);
  return outcome.state === 'accepted' ? outcome : { ...outcome, detail: redactedGatewayText(outcome.detail) };
}

/** One gateway's send without a time-out of its own, for what wraps it: a failure is an unknown outcome. Never rejects. */
export async function sendOrUnknown(
  gateway: SmsGateway,
  sms: OutboundSms,
  signal: AbortSignal,
): Promise<SmsOutcome> {
  try {
    return await gateway.send(sms, signal);
  } catch {
    return signal.aborted ? notInTime : failed;
  }
}

/**
 * Asks for the outcome of an earlier attempt, of a list the gateway `of` that had it; `sms` is what was handed over. `unknown`
 * when it fails or does not answer.
 */
export function lookUpSms(
  gateway: SmsGateway,
  reference: string,
  of: string | null = null,
  sms?: HandedOver,
  after = systemTimers.after,
): Promise<SmsLookUp> {
  const asking = (signal: AbortSignal) => lookUpOrUnknown(gateway, reference, signal, of, sms);
  return within<SmsLookUp>(asking, { state: 'unknown' }, after);
}

/** The same without a time-out of its own. */
export async function lookUpOrUnknown(
  gateway: SmsGateway,
  reference: string,
  signal: AbortSignal,
  of: string | null = null,
  sms?: HandedOver,
): Promise<SmsLookUp> {
  try {
    return await gateway.lookUp(reference, signal, of, sms);
  } catch {
    return { state: 'unknown' };
  }
}
