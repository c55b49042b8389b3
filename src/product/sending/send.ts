/** Sends one claimed message, and returns the outcome to record. */
import type { Context } from '#platform/context.ts';
import { isTransient } from '#platform/db/transient.ts';
import type { EmailOutcome } from '#platform/gateways/email/gateway.ts';
import { saysUnauthenticated } from '#platform/gateways/email/unauthenticated.ts';
import type { SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { backoffMs } from './backoff.ts';
import { bounceAddress } from './bounce/address.ts';
import { markInvalidAddress } from './bounce/store.ts';
import type { ClaimedEntry } from './claim/store.ts';
import type { EmailComposers } from './compose.ts';
import { type Finish, recordOf } from './finish/outcome.ts';
import { kinds, triesAtMost } from './kinds.ts';
import { isLimit } from './limits/rules.ts';
import { sendWithinLimits } from './limits/send.ts';
import { countUnauthenticated } from './unauthenticated/store.ts';
import { refusedLikeAll } from './unauthenticated/words.ts';

/** The outcome to record, and the next step. */
export type Followed = Partial<Finish> & Pick<Finish, 'state'>;

/** When the gateway was not called, the message is due again no sooner and no later than this. */
const deferredMs = { least: 500, most: 60_000 };

/** `begunAt` is machine time, before the claim. Never rejects: code that may throw runs before the hand-over. */
export async function send(
  ctx: Context,
  composers: EmailComposers,
  entry: ClaimedEntry,
  begunAt: Date,
): Promise<Followed> {
  // An earlier release did not store the text of a notice, and its event has been deleted since.
  if (entry.channel === 'sms' && entry.body === '') return nothingToTell;
  if (entry.channel === 'sms')
    return afterSms(entry, await sendWithinLimits(ctx, smsOf(entry), entry, begunAt));
  let outcome: EmailOutcome | null;
  try {
    const email = await composers[entry.kind]?.(ctx, entry);
    const envelopeSender = bounceAddress(ctx, entry.attemptId);
    outcome = email ? await ctx.email.send({ ...email, envelopeSender }) : null;
  } catch (err) {
    ctx.log.warn({ err, messageId: entry.id }, 'an e-mail could not be made');
    // The database was unavailable: no attempt is spent.
    return isTransient(err) ? deferred(entry) : retryLater(entry, notMade);
  }
  if (outcome?.state === 'refused' && outcome.reason === 'invalidAddress')
    await markAddress(ctx, entry, outcome.detail);
  if (outcome?.state === 'refused' && saysUnauthenticated(outcome.detail)) {
    await tellOfUnauthenticated(ctx, outcome.detail);
    return afterEmail(entry, { ...outcome, detail: refusedLikeAll });
  }
  return outcome === null ? nothingToTell : afterEmail(entry, outcome);
}

/** Counted for `pitlane status`, and logged once a day. */
async function tellOfUnauthenticated({ db, clock, log }: Context, detail: string): Promise<void> {
  try {
    if (!(await countUnauthenticated(db, detail, clock.machineNow()))) return;
    log.error(
      { detail },
      'a mailbox provider takes no e-mail from here until SPF, DKIM and DMARC are set up for the domain of the sender',
    );
  } catch (err) {
    log.warn({ err }, 'a refusal of all e-mails could not be counted');
  }
}

/**
 * Runs before the outcome is recorded. After a crash in between, the next attempt is refused for the same reason and sets the mark.
 */
async function markAddress(
  { db, clock, log }: Context,
  { attemptId }: ClaimedEntry,
  why: string,
): Promise<void> {
  if (attemptId === null) return;
  try {
    await markInvalidAddress(db, { attemptId, recipients: [], why }, clock.now());
  } catch (err) {
    log.warn(
      { err },
      'an address that does not exist could not be marked; the next e-mail to it tries again',
    );
  }
}

const smsOf = (entry: ClaimedEntry) => ({
  reference: entry.attemptId ?? '',
  messageId: entry.id,
  to: entry.recipient,
  from: entry.smsSender,
  route: entry.smsGateways,
  body: entry.body,
  ...(entry.validForMs !== null && { validForMs: entry.validForMs }),
  ...(kinds[entry.kind].class === 'campaign' && { yields: true }),
});

const notMade = {
  state: 'failed',
  reason: 'error',
  detail: 'It could not be made; nothing was handed over.',
} as const;

const nothingToTell = {
  state: 'expired',
  reason: 'expired',
  detail: 'Its event is no longer stored.',
} as const;

/** A retry after a pause; after the last attempt, the message is given up. */
export function retryLater(
  entry: ClaimedEntry,
  outcome: Followed,
  next: 'retry' | 'reconcile' = 'retry',
): Followed {
  const { tries, repeatsUnknown } = entry;
  if (tries >= triesAtMost) return { ...outcome, next: 'done', givenUp: true };
  return { repeatsUnknown, ...outcome, next, inMs: backoffMs(tries) };
}

/** In how many milliseconds to try again what a gateway was not asked for. */
export const deferralMs = (retryAfterMs = 0): number =>
  Math.min(Math.max(retryAfterMs, deferredMs.least), deferredMs.most);

/** No attempt was spent, and an earlier attempt keeps its state. */
function deferred({ repeatsUnknown }: ClaimedEntry, retryAfterMs = 0): Followed {
  const inMs = deferralMs(retryAfterMs);
  return { state: null, next: 'retry', withdrawn: true, unspent: true, inMs, repeatsUnknown };
}

function afterSms(entry: ClaimedEntry, outcome: SmsOutcome): Followed {
  const record = recordOf(outcome);
  if (outcome.state === 'accepted') return record;
  // It may arrive, so the gateway is looked up before anything else.
  if (outcome.state === 'unknown') return retryLater(entry, record, 'reconcile');
  if (outcome.notAsked) return deferred(entry, outcome.retryAfterMs);
  if (isLimit(outcome.reason)) return record;
  // The carrier has recorded an opt-out: no dead letter is needed.
  if (outcome.reason === 'optedOut' && entry.audience === 'customer') return record;
  return outcome.permanent ? { ...record, givenUp: true } : retryLater(entry, record);
}

/**
 * An e-mail with an unknown outcome cannot be looked up. It is repeated with the same Message-ID: a second copy is better than
 * none.
 */
function afterEmail(entry: ClaimedEntry, outcome: EmailOutcome): Followed {
  const record = recordOf(outcome);
  if (outcome.state === 'accepted') return record;
  if (outcome.state === 'unknown') return retryLater(entry, { ...record, repeatsUnknown: true });
  if (outcome.notAsked) return deferred(entry, outcome.retryAfterMs);
  return outcome.permanent ? { ...record, givenUp: true } : retryLater(entry, record);
}
