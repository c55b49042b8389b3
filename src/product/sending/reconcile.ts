/** Settles an attempt with an unknown outcome: its response was lost, or its process died. */
import type { Context } from '#platform/context.ts';
import { lookUpSms } from '#platform/gateways/sms/send.ts';
import type { ClaimedEntry } from './claim/store.ts';
import { recordOf } from './finish/outcome.ts';
import { kinds } from './kinds.ts';
import { type Followed, retryLater } from './send.ts';

/** How long after the beginning of an attempt a delivery report may settle it when the gateway has no look-up. */
const waitForReportMs = 60_000;
/** When the gateway may not be called now, it is looked up again after this time. */
const askAgainMs = 1_000;

/** The attempt certainly did not arrive, or may be repeated; until then the message keeps its state. */
const atOnce = { state: null, next: 'retry', inMs: 0 } as const;

const unknown = (detail: string) => ({ state: 'unknown', reason: 'unknownOutcome', detail }) as const;

/** Looks the attempt up at the gateway, and never sends. Never rejects. */
export async function reconcile({ sms }: Context, entry: ClaimedEntry): Promise<Followed> {
  const { attemptId, gateway, channel, kind, repeatsUnknown, attemptAgeMs } = entry;
  if (attemptId === null) return atOnce;
  if (channel === 'email') {
    const left = unknown('The service stopped before the mail server answered.');
    return { ...retryLater(entry, left), inMs: 0, repeatsUnknown: true };
  }
  const handedOver = { to: entry.recipient, body: entry.body };
  const found = await lookUpSms(sms, attemptId, gateway, handedOver);
  if (found.state === 'accepted') return recordOf(found);
  if (found.state === 'notFound') return { ...atOnce, repeatsUnknown };
  if (found.notAsked) {
    // The attempt of a message that is given up gets an outcome too.
    const left = unknown('The gateway gave no permit, and was not asked.');
    const inMs = Math.max(found.retryAfterMs ?? 0, askAgainMs);
    return { ...left, next: 'reconcile', inMs, repeatsUnknown, unspent: true };
  }
  if (!found.permanent) {
    return retryLater(
      entry,
      unknown('The gateway does not say for now whether it has the SMS.'),
      'reconcile',
    );
  }
  const waitMs = waitForReportMs - (attemptAgeMs ?? waitForReportMs);
  if (waitMs > 0) {
    const waits = unknown('The gateway can not be asked, and no delivery report has come yet.');
    return { ...retryLater(entry, waits, 'reconcile'), inMs: waitMs };
  }
  if (kinds[kind].unknownOutcome === 'repeatOnce' && !repeatsUnknown)
    return { ...atOnce, repeatsUnknown: true };
  return {
    ...unknown('The gateway can not be asked; it is not sent again, since it may arrive.'),
    givenUp: true,
  };
}
