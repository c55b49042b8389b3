/** An SMS gateway behind its limiter: a message without a permit in time is refused with `notAsked`. */
import type { OutboundSms, SmsGateway, SmsListener, SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { sendOrUnknown } from '#platform/gateways/sms/send.ts';
import type { Verdict } from './breaker.ts';
import { type GatewayLimiter, longestWaitMs } from './limiter.ts';
import { refusalText } from './refusal-text.ts';

/** Until when a hand-over may wait, in all limiters together: the time-out of its signal is short. */
const waitsUntilMs = new WeakMap<AbortSignal, number>();

function patienceMs(signal: AbortSignal, nowMs: number): number {
  const untilMs = waitsUntilMs.get(signal) ?? nowMs + longestWaitMs;
  waitsUntilMs.set(signal, untilMs);
  return Math.max(untilMs - nowMs, 0);
}

/** Judges the gateway, as opposed to the message, by an outcome. */
function verdictOf(outcome: SmsOutcome): Verdict {
  if (outcome.state === 'unknown') return 'bad';
  if (outcome.state === 'refused' && outcome.unclear) return 'none';
  if (outcome.state === 'accepted' || outcome.permanent) return 'good';
  // A gateway that asks for a pause works.
  if (outcome.retryAfterMs !== undefined && !outcome.notAsked) return 'good';
  return outcome.elsewhere ? 'bad' : 'good';
}

/** Resolves a moment after the signal has aborted, so that the gateway can end first. */
function timeOver(signal: AbortSignal): { readonly over: Promise<SmsOutcome>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<SmsOutcome>();
  const late = () =>
    setImmediate(resolve, { state: 'unknown', detail: 'The gateway did not answer in time.' } as const);
  signal.addEventListener('abort', late, { once: true });
  return { over: promise, forget: () => signal.removeEventListener('abort', late) };
}

/** Passes the state of the connection to the limiter too: without a connection it gives no permit. */
function heardBy(limiter: GatewayLimiter, listener: SmsListener): SmsListener {
  return {
    ...listener,
    connection(...told) {
      const [, isConnected, , use] = told;
      if (use !== 'receiving') limiter.connected(isConnected);
      listener.connection?.(...told);
    },
  };
}

export function throttled(gateway: SmsGateway, limiter: GatewayLimiter): SmsGateway {
  let lastIncident: string | undefined;

  /** One event that affects several messages, such as a lost connection, is one failure. */
  function verdictOnce(outcome: SmsOutcome): Verdict {
    if (outcome.state !== 'unknown' || outcome.incident === undefined) return verdictOf(outcome);
    if (outcome.incident === lastIncident) return 'none';
    lastIncident = outcome.incident;
    return verdictOf(outcome);
  }

  async function handOver(sms: OutboundSms, signal: AbortSignal): Promise<SmsOutcome> {
    const { over, forget } = timeOver(signal);
    try {
      return await Promise.race([sendOrUnknown(gateway, sms, signal), over]);
    } finally {
      forget();
    }
  }

  return {
    name: gateway.name,
    limiter,

    async send(sms, signal) {
      const withinMs = patienceMs(signal, limiter.nowMs());
      const permit = await limiter.acquire({
        use: 'send',
        signal,
        withinMs,
        yields: sms.yields === true,
      });
      if ('why' in permit) {
        limiter.report({ outcome: 'notAsked', reason: permit.why, ms: null });
        return {
          state: 'refused',
          permanent: false,
          reason: 'gatewayUnavailable',
          detail: refusalText(gateway.name, permit.why),
          elsewhere: true,
          notAsked: true,
          retryAfterMs: permit.retryAfterMs,
        };
      }
      const startedMs = limiter.nowMs();
      const outcome = await handOver(sms, signal);
      const restMs = outcome.state === 'refused' ? outcome.retryAfterMs : undefined;
      permit.end(verdictOnce(outcome), restMs, outcome.state === 'accepted' ? '' : outcome.detail);
      const reason = outcome.state === 'refused' ? outcome.reason : '';
      const { state } = outcome;
      const kind = state === 'refused' && outcome.notAsked ? 'notAsked' : state;
      limiter.report({ outcome: kind, reason, ms: limiter.nowMs() - startedMs });
      return outcome;
    },

    async lookUp(reference, signal, ...more) {
      const withinMs = patienceMs(signal, limiter.nowMs());
      const permit = await limiter.acquire({ use: 'lookUp', signal, withinMs });
      if ('why' in permit) return { state: 'unknown', notAsked: true, retryAfterMs: permit.retryAfterMs };
      try {
        return await gateway.lookUp(reference, signal, ...more);
      } finally {
        permit.end('none');
      }
    },

    ...(gateway.balance && { balance: gateway.balance.bind(gateway) }),
    ...(gateway.fetchAttachment && { fetchAttachment: gateway.fetchAttachment.bind(gateway) }),
    ...(gateway.optIn && { optIn: gateway.optIn.bind(gateway) }),
    ...(gateway.hearsWords && { hearsWords: gateway.hearsWords }),
    ...(gateway.callbacks && { callbacks: gateway.callbacks }),
    ...(gateway.start && { start: (listener) => gateway.start?.(heardBy(limiter, listener)) }),
    ...(gateway.close && { close: async () => gateway.close?.() }),
    ...(gateway.members && { members: gateway.members }),
  };
}
