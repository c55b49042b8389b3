/** An e-mail gateway behind its lane. */
import type { EmailGateway, EmailOutcome } from '#gateways/email/gateway.ts';
import type { Verdict } from './breaker.ts';
import type { Lane } from './lane.ts';
import { wordsFor } from './words.ts';

/** Refusals of a message come from a server that works. */
function verdictOf(outcome: EmailOutcome): Verdict {
  if (outcome.state === 'accepted') return 'good';
  return outcome.state === 'unknown' || outcome.reason === 'gatewayUnavailable' ? 'bad' : 'good';
}

export function throttledEmail(gateway: EmailGateway, lane: Lane): EmailGateway {
  return {
    name: gateway.name,
    lane,
    async send(email) {
      const turn = await lane.enter({ use: 'send' });
      if ('why' in turn) {
        lane.report({ outcome: 'notAsked', reason: turn.why, ms: null });
        return {
          state: 'refused',
          permanent: false,
          reason: 'gatewayUnavailable',
          detail: wordsFor(gateway.name, turn.why),
          notAsked: true,
          retryAfterMs: turn.retryAfterMs,
        };
      }
      const startedMs = lane.nowMs();
      let verdict: Verdict = 'bad';
      let detail = 'The gateway failed before it answered.';
      try {
        const outcome = await gateway.send(email);
        verdict = verdictOf(outcome);
        detail = outcome.state === 'accepted' ? '' : outcome.detail;
        const reason = outcome.state === 'refused' ? outcome.reason : '';
        lane.report({ outcome: outcome.state, reason, ms: lane.nowMs() - startedMs });
        return outcome;
      } finally {
        turn.end(verdict, 0, detail);
      }
    },
    close: () => gateway.close(),
  };
}
