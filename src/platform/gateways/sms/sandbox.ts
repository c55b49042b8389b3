/** The SMS gateway of the sandbox: sends nothing, stores every SMS, and plays every outcome (magic numbers below). */
import { setTimeout as pause } from 'node:timers/promises';
import type { SandboxOutbox } from '#platform/gateways/sandbox-outbox.ts';
import type { OutboundSms, SmsGateway, SmsOutcome } from './gateway.ts';

/** Numbers with an outcome of their own, from the ranges that the Australian regulator reserves for fiction. */
export const magicNumbers = {
  refusedForGood: '+61491570156',
  refusedOnce: '+61491570157',
  neverAnswers: '+61491570158',
  undelivered: '+61491570159',
  slow: '+61491570110',
  landline: '+61355500159',
} as const;

const slowMs = 2_000;

export interface SandboxSmsOptions {
  readonly outbox: SandboxOutbox;
  /** The latency of every send. */
  readonly latencyMs: number;
}

function never(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(new Error('aborted'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

export function sandboxSms({ outbox, latencyMs }: SandboxSmsOptions): SmsGateway {
  async function keep(sms: OutboundSms, outcome: 'accepted' | 'refused'): Promise<string> {
    return outbox.keep({
      reference: sms.reference,
      messageId: sms.messageId,
      channel: 'sms',
      outcome,
      to: sms.to,
      from: sms.from ?? 'sandbox',
      subject: null,
      body: sms.body,
      html: null,
      calendar: null,
      report: outcome === 'accepted' && sms.to === magicNumbers.undelivered ? 'undelivered' : null,
    });
  }

  async function refuse(sms: OutboundSms, permanent: boolean): Promise<SmsOutcome> {
    await keep(sms, 'refused');
    return permanent
      ? { state: 'refused', permanent, reason: 'refused', detail: 'The sandbox refuses this number.' }
      : {
          state: 'refused',
          permanent,
          reason: 'temporarilyRefused',
          detail: 'The sandbox refuses each message to this number once.',
        };
  }

  /** An SMS to a landline is handed over like any other; the carrier answers that the number takes none. */
  async function refuseLandline(sms: OutboundSms): Promise<SmsOutcome> {
    await keep(sms, 'refused');
    const detail = 'The sandbox refuses this number as carriers refuse a landline.';
    return { state: 'refused', permanent: true, reason: 'invalidNumber', detail };
  }

  return {
    name: 'sandbox',
    async send(sms, signal) {
      if (sms.to === magicNumbers.neverAnswers) return never(signal);
      const delayMs = sms.to === magicNumbers.slow ? Math.max(slowMs, latencyMs) : latencyMs;
      if (delayMs > 0) await pause(delayMs, undefined, { signal });
      if (sms.to === magicNumbers.refusedForGood) return refuse(sms, true);
      if (sms.to === magicNumbers.landline) return refuseLandline(sms);
      const refusesNow =
        sms.to === magicNumbers.refusedOnce &&
        (await outbox.accepted(sms.reference)) === null &&
        !(await outbox.refusedBefore(sms.messageId));
      if (refusesNow) return refuse(sms, false);
      return { state: 'accepted', gatewayId: await keep(sms, 'accepted') };
    },
    async lookUp(reference) {
      const gatewayId = await outbox.accepted(reference);
      return gatewayId === null ? { state: 'notFound' } : { state: 'accepted', gatewayId };
    },
  };
}
