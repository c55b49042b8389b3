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

export function sendSms(gateway: SmsGateway, sms: OutboundSms): Promise<SmsOutcome> {
  return within<SmsOutcome>(
    (signal) => gateway.send(sms, signal),
    { state: 'unknown', detail: `The gateway did not answer within ${smsTimeoutMs / 1000} seconds.` },
    () => ({ state: 'unknown', detail: 'The gateway failed before it answered.' }),
  );
}

/** Asks the gateway for the outcome of an earlier attempt; `unknown` when it fails or does not answer. */
export function lookUpSms(gateway: SmsGateway, reference: string): Promise<SmsLookUp> {
  return within<SmsLookUp>(
    (signal) => gateway.lookUp(reference, signal),
    { state: 'unknown' },
    () => ({ state: 'unknown' }),
  );
}
