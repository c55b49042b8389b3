/** Sends through the gateways of a workshop, in their order: the next gateway is tried only when the one before certainly did not accept. */
import type { HandedOver, OutboundSms, SmsGateway, SmsLookUp, SmsOutcome } from './gateway.ts';
import { lookUpOrUnknown, sendOrUnknown } from './send.ts';

/** `usual` names the gateways for workshops that have not chosen any. */
export function routed(
  gateways: readonly SmsGateway[],
  usual: readonly string[] = gateways.map(({ name }) => name),
): SmsGateway {
  const byName = new Map(gateways.map((gateway) => [gateway.name, gateway]));

  const gatewaysFor = ({ route }: OutboundSms) =>
    (route ?? usual).flatMap((name) => {
      const gateway = byName.get(name);
      return gateway === undefined ? [] : [gateway];
    });

  return {
    name: usual.join(','),
    members: gateways,
    usual,

    async send(sms, signal) {
      let outcome: SmsOutcome | undefined;
      for (const gateway of gatewaysFor(sms)) {
        // The time is over and the outcome is recorded: a hand-over now would send a message that counts as unknown already.
        if (signal.aborted) break;
        const before = outcome;
        outcome = { ...(await sendOrUnknown(gateway, sms, signal)), gateway: gateway.name };
        if (outcome.state !== 'refused' || !outcome.elsewhere) return outcome;
        if (before?.state === 'refused') outcome = together(before, outcome);
      }
      return outcome ?? noneOf(sms);
    },

    async lookUp(reference, signal, named, sms) {
      const names = named?.split(',') ?? [...byName.keys()];
      const known = gateways.filter(({ name }) => names.includes(name));
      const asked = known.length > 0 ? known : gateways;
      const answers = await Promise.all(asked.map((gateway) => lookUpAt(gateway, reference, signal, sms)));
      const found = answers.find(({ state }) => state === 'accepted');
      if (found !== undefined) return found;
      return withoutFind(
        answers,
        names.every((name) => byName.has(name)),
      );
    },

    start(listener) {
      for (const gateway of gateways) gateway.start?.(listener);
    },
    async close() {
      await Promise.allSettled(gateways.map((gateway) => gateway.close?.()));
    },
  };
}

/**
 * No gateway has the message. `isAll` is false when a gateway that may have had it is no longer configured and cannot be asked.
 */
function withoutFind(answers: readonly SmsLookUp[], isAll: boolean): SmsLookUp {
  const unknown = answers.filter((answer) => answer.state === 'unknown');
  const open = unknown.filter(({ permanent }) => !permanent);
  // A gateway that could not be asked just now may have the message.
  const left = open.find(({ notAsked }) => notAsked);
  if (left !== undefined) return left;
  if (open.length > 0) return { state: 'unknown' };
  return isAll && unknown.length === 0 ? { state: 'notFound' } : { state: 'unknown', permanent: true };
}

type Refused = SmsOutcome & { readonly state: 'refused' };

/**
 * Joins two refusals: a retry is worthwhile when either gateway may accept later. A gateway that was not called says nothing
 * about the message.
 */
function together(before: Refused, last: Refused): Refused {
  const shown = last.notAsked && !before.notAsked ? before : last;
  const permanent = before.permanent && last.permanent;
  if (!before.notAsked || !last.notAsked) return { ...shown, permanent };
  // Neither was called: the earliest time at which one may be called counts.
  const retryAfterMs = Math.min(before.retryAfterMs ?? 0, last.retryAfterMs ?? 0);
  return { ...shown, permanent, retryAfterMs };
}

function noneOf({ route }: OutboundSms): SmsOutcome {
  const wanted = route?.join(', ') ?? '';
  return {
    state: 'refused',
    permanent: false,
    reason: 'gatewayUnavailable',
    detail: `None of the workshop's SMS gateways is configured here: ${wanted}.`,
  };
}

async function lookUpAt(
  gateway: SmsGateway,
  reference: string,
  signal: AbortSignal,
  sms?: HandedOver,
): Promise<SmsLookUp> {
  const answer = await lookUpOrUnknown(gateway, reference, signal, null, sms);
  return answer.state === 'accepted' ? { ...answer, gateway: gateway.name } : answer;
}
