/** Sends through a gateway with the time-out that holds for all of them; never rejects. */
import { setImmediate } from 'node:timers/promises';
import { gatewayWords } from '#values/gateway-words.ts';
import {
  type OutboundSms,
  type SmsGateway,
  type SmsLookUp,
  type SmsOutcome,
  smsTimeoutMs,
} from './gateway.ts';

async function within<T>(
  work: (signal: AbortSignal) => Promise<T>,
  late: T,
  failed: (error: Error) => T,
  countsLate: (answer: T) => boolean = () => false,
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'over'>((resolve) => {
    timer = setTimeout(() => {
      controller.abort();
      resolve('over');
    }, smsTimeoutMs);
  });
  try {
    const working = (async () => work(controller.signal))().catch(failed);
    const answer = await Promise.race([working, timeout]);
    if (answer !== 'over') return answer;
    // What was still waiting for its turn says so at once when it is told to stop.
    const last = await Promise.race([working, setImmediate(late)]);
    return countsLate(last) ? last : late;
  } finally {
    clearTimeout(timer);
  }
}

const failed: SmsOutcome = { state: 'unknown', detail: 'The gateway failed before it answered.' };

/** What the gateway says of a failure comes without addresses, credentials and phone numbers. */
export async function sendSms(gateway: SmsGateway, sms: OutboundSms): Promise<SmsOutcome> {
  const outcome = await within<SmsOutcome>(
    (signal) => gateway.send(sms, signal),
    { state: 'unknown', detail: `The gateway did not answer within ${smsTimeoutMs / 1000} seconds.` },
    () => failed,
    (outcome) => outcome.state === 'refused' && outcome.notAsked === true,
  );
  return outcome.state === 'accepted' ? outcome : { ...outcome, detail: gatewayWords(outcome.detail) };
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
    return failed;
  }
}

/**
 * Asks for the outcome of an earlier attempt, of a list the gateway `of` that had it; `unknown` when it fails or does not
 * answer.
 */
export function lookUpSms(
  gateway: SmsGateway,
  reference: string,
  of: string | null = null,
): Promise<SmsLookUp> {
  return within<SmsLookUp>(
    (signal) => gateway.lookUp(reference, signal, of),
    { state: 'unknown' },
    () => ({ state: 'unknown' }),
  );
}
