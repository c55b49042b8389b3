/** An e-mail gateway behind its limiter. */
import type { EmailGateway, EmailOutcome } from '#platform/gateways/email/gateway.ts';
import type { Verdict } from './breaker.ts';
import type { GatewayLimiter } from './limiter.ts';
import { refusalText } from './refusal-text.ts';

/** A refusal of a message shows that the server works. */
function verdictOf(outcome: EmailOutcome): Verdict {
  if (outcome.state === 'accepted') return 'good';
  return outcome.state === 'unknown' || outcome.reason === 'gatewayUnavailable' ? 'bad' : 'good';
}

export function throttledEmail(gateway: EmailGateway, limiter: GatewayLimiter): EmailGateway {
  return {
    name: gateway.name,
    limiter,
    async send(email) {
      const permit = await limiter.acquire({ use: 'send' });
      if ('why' in permit) {
        limiter.report({ outcome: 'notAsked', reason: permit.why, ms: null });
        return {
          state: 'refused',
          permanent: false,
          reason: 'gatewayUnavailable',
          detail: refusalText(gateway.name, permit.why),
          notAsked: true,
          retryAfterMs: permit.retryAfterMs,
        };
      }
      const startedMs = limiter.nowMs();
      let verdict: Verdict = 'bad';
      let detail = 'The gateway failed before it answered.';
      try {
        const outcome = await gateway.send(email);
        verdict = verdictOf(outcome);
        detail = outcome.state === 'accepted' ? '' : outcome.detail;
        const reason = outcome.state === 'refused' ? outcome.reason : '';
        limiter.report({ outcome: outcome.state, reason, ms: limiter.nowMs() - startedMs });
        return outcome;
      } finally {
        permit.end(verdict, 0, detail);
      }
    },
    close: () => gateway.close(),
  };
}
