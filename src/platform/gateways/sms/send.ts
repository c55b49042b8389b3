/** Sends through a gateway with the common time-out. Never rejects. */
import { setImmediate } from 'node:timers/promises';
import { redactedGatewayText } from '#base/values/redacted-gateway-text.ts';
import { systemTimers, type Timers } from '#platform/gateways/limiter/timers.ts';
import {
  type HandedOver,
  type OutboundSms,
  type SmsGateway,
  type SmsLookUp,
  type SmsOutcome,
  smsTimeoutMs,
} from './gateway.ts';

/** The result of `work`, which never rejects; `late` when it settles neither in time nor at once when it is aborted. */
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
    // Aborted work says how far it came: still waiting for a permit, or which gateway of the route had the message.
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

/** The time-out of a hand-over is shorter than the lease of its attempt. */
const beginsWithinMs = 5_000;

/**
 * Refuses a hand-over that was recorded as begun at `begunAt` (machine time) but starts only now, because the process or its
 * database stalled: its lease may end, and another process may send the message. Null when there is time left.
 */
export function tooLate(begunAt: Date, now: Date): SmsOutcome | null {
  if (now.getTime() - begunAt.getTime() <= beginsWithinMs) return null;
  const detail = 'The service was too slow to hand it over; nothing was handed over.';
  return { state: 'refused', permanent: false, reason: 'gatewayUnavailable', detail, notAsked: true };
}

/**
 * Error texts of the gateway are redacted: no addresses, credentials or phone numbers. `timeoutMs` and `after` replace the usual
 * time-out and timer in tests.
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

/** One gateway's send without the common time-out, for code that wraps it: a failure is an unknown outcome. Never rejects. */
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
 * Looks up the outcome of an earlier attempt. `of` names the gateway of the route that had it; `sms` is what was handed over.
 * `unknown` when the look-up fails or takes too long.
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

/** The same without the common time-out. */
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
