/** A list of gateways: the next is tried only when the one before it certainly did not accept. */
import type { SmsGateway, SmsLookUp, SmsOutcome } from './gateway.ts';
import { sendOrUnknown } from './send.ts';

/** `gateways` has at least two, in the order in which they are tried. */
export function failover(gateways: readonly SmsGateway[]): SmsGateway {
  return {
    name: gateways.map(({ name }) => name).join(','),
    members: gateways,

    async send(sms, signal) {
      let outcome: SmsOutcome | undefined;
      for (const gateway of gateways) {
        // The time is over and the outcome told: what is handed over now would be sent behind everyone's back.
        if (signal.aborted) break;
        const before = outcome;
        outcome = { ...(await sendOrUnknown(gateway, sms, signal)), gateway: gateway.name };
        if (outcome.state !== 'refused' || !outcome.elsewhere) return outcome;
        // What one of them may take later is worth trying again.
        if (before?.state === 'refused' && !before.permanent) outcome = { ...outcome, permanent: false };
      }
      return outcome ?? { state: 'unknown', detail: 'No gateway was tried in time.' };
    },

    async lookUp(reference, signal, named) {
      const known = gateways.find(({ name }) => name === named);
      const asked = known === undefined ? gateways : [known];
      const answers = await Promise.all(asked.map((gateway) => lookUpAt(gateway, reference, signal)));
      const found = answers.find(({ state }) => state === 'accepted');
      if (found !== undefined) return found;
      return { state: answers.every(({ state }) => state === 'notFound') ? 'notFound' : 'unknown' };
    },
  };
}

async function lookUpAt(gateway: SmsGateway, reference: string, signal: AbortSignal): Promise<SmsLookUp> {
  try {
    const answer = await gateway.lookUp(reference, signal);
    return answer.state === 'accepted' ? { ...answer, gateway: gateway.name } : answer;
  } catch {
    return { state: 'unknown' };
  }
}
