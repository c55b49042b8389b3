/** Sends one claimed message, and says what is to be recorded of it. */
import type { Context } from '#context.ts';
import type { EmailOutcome } from '#gateways/email/gateway.ts';
import type { SmsOutcome } from '#gateways/sms/gateway.ts';
import { backoffMs } from './backoff.ts';
import type { ClaimedEntry } from './claim/store.ts';
import type { EmailComposers } from './compose.ts';
import { type Finish, recordOf } from './finish/outcome.ts';
import { triesAtMost } from './kinds.ts';
import { isLimit } from './limits/rules.ts';
import { sendWithinLimits } from './limits/send.ts';

/** What follows, beside the words of the outcome. */
export type Followed = Partial<Finish> & Pick<Finish, 'state'>;

/** No gateway was asked: not sooner, and not later. */
const deferredMs = { least: 500, most: 60_000 };

/** `begunAt` is machine time, before the claim. Never rejects: what throws does so before anything is handed over. */
export async function send(
  ctx: Context,
  composers: EmailComposers,
  entry: ClaimedEntry,
  begunAt: Date,
): Promise<Followed> {
  // The text of a notice that an earlier release queued was never kept, and the event that it tells of is forgotten by now.
  if (entry.channel === 'sms' && entry.body === '') return nothingToTell;
  if (entry.channel === 'sms')
    return afterSms(entry, await sendWithinLimits(ctx, smsOf(entry), entry, begunAt));
  let outcome: EmailOutcome | null;
  try {
    const email = await composers[entry.kind]?.(ctx, entry);
    outcome = email ? await ctx.email.send(email) : null;
  } catch (err) {
    ctx.log.warn({ err, messageId: entry.id }, 'an e-mail could not be made');
    return retryLater(entry, notMade);
  }
  return outcome === null ? nothingToTell : afterEmail(entry, outcome);
}

const smsOf = (entry: ClaimedEntry) => ({
  reference: entry.attemptId ?? '',
  messageId: entry.id,
  to: entry.recipient,
  from: entry.smsSender,
  route: entry.smsGateways,
  body: entry.body,
  ...(entry.validForMs !== null && { validForMs: entry.validForMs }),
});

const notMade = {
  state: 'failed',
  reason: 'error',
  detail: 'It could not be made; nothing was handed over.',
} as const;

const nothingToTell = {
  state: 'expired',
  reason: 'expired',
  detail: 'What it tells of is not kept any more.',
} as const;

/** Another try after a pause, or, after the last one, none. */
export function retryLater(
  entry: ClaimedEntry,
  outcome: Followed,
  next: 'retry' | 'reconcile' = 'retry',
): Followed {
  const { tries, repeatsUnknown } = entry;
  if (tries >= triesAtMost) return { ...outcome, next: 'done', givenUp: true };
  return { repeatsUnknown, ...outcome, next, inMs: backoffMs(tries) };
}

/** Nothing was spent; what was known of an earlier attempt stays. */
function deferred({ repeatsUnknown }: ClaimedEntry, retryAfterMs = 0): Followed {
  const inMs = Math.min(Math.max(retryAfterMs, deferredMs.least), deferredMs.most);
  return { state: null, next: 'retry', withdrawn: true, unspent: true, inMs, repeatsUnknown };
}

function afterSms(entry: ClaimedEntry, outcome: SmsOutcome): Followed {
  const record = recordOf(outcome);
  if (outcome.state === 'accepted') return record;
  // It may arrive: the gateway is asked before anything else.
  if (outcome.state === 'unknown') return retryLater(entry, record, 'reconcile');
  if (outcome.notAsked) return deferred(entry, outcome.retryAfterMs);
  if (isLimit(outcome.reason)) return record;
  // The carrier knows of an opt-out: nobody has to look at it.
  if (outcome.reason === 'optedOut' && entry.audience === 'customer') return record;
  return outcome.permanent ? { ...record, givenUp: true } : retryLater(entry, record);
}

/** Of an unknown outcome nobody can be asked. Sent again it has the same Message-ID, and twice is better than never. */
function afterEmail(entry: ClaimedEntry, outcome: EmailOutcome): Followed {
  const record = recordOf(outcome);
  if (outcome.state === 'accepted') return record;
  if (outcome.state === 'unknown') return retryLater(entry, { ...record, repeatsUnknown: true });
  if (outcome.notAsked) return deferred(entry, outcome.retryAfterMs);
  return outcome.permanent ? { ...record, givenUp: true } : retryLater(entry, record);
}
