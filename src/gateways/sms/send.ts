/** Sends through a gateway with the time-out that holds for all of them; never rejects. */
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
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => {
      controller.abort();
      resolve(late);
    }, smsTimeoutMs);
  });
  try {
    const working = (async () => work(controller.signal))();
    return await Promise.race([working.catch(failed), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

const failed: SmsOutcome = { state: 'unknown', detail: 'The gateway failed before it answered.' };

export function sendSms(gateway: SmsGateway, sms: OutboundSms): Promise<SmsOutcome> {
  return within<SmsOutcome>(
    (signal) => gateway.send(sms, signal),
    { state: 'unknown', detail: `The gateway did not answer within ${smsTimeoutMs / 1000} seconds.` },
    () => failed,
  );
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
