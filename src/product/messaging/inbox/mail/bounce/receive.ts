/**
 * Receives a bounce: an e-mail to the envelope sender of one attempt. Errors are not reported to its sender, because that could
 * loop forever.
 */

import type { Clock } from '#base/clock.ts';
import { redactedGatewayText } from '#base/values/redacted-gateway-text.ts';
import { Problem } from '#errors.ts';
import { countAttempt } from '#platform/attempts/limit.ts';
import type { Database } from '#platform/db/database.ts';
import { enhancedCodeOf } from '#platform/gateways/email/smtp-reply.ts';
import { saysUnauthenticated } from '#platform/gateways/email/unauthenticated.ts';
import type { RateLimit } from '#platform/http/rate-limit.ts';
import { recordFailedDelivery } from '#product/sending/bounce/record.ts';
import { countBounce, type EmailAttempt, findEmailAttempt } from '#product/sending/bounce/store.ts';
import { countUnauthenticated } from '#product/sending/unauthenticated/store.ts';
import { refusedLikeAll } from '#product/sending/unauthenticated/words.ts';
import { whyNotRead } from '../bounds.ts';
import { parseInWorker, TooComplex } from '../parse-in-worker.ts';
import type { Bounce } from './bounce.ts';

export type BounceOutcome =
  /** The e-mail did not arrive, permanently. */
  | { readonly state: 'undelivered'; readonly why: string }
  /** The mail server keeps trying: nothing changes. */
  | { readonly state: 'delayed' }
  | { readonly state: 'dropped'; readonly reason: DropReason };

/**
 * `settled`: the outcome of the e-mail is known already. `notABounce`: an automatic answer, or a person's. `notRead`: it is too
 * large, or can't be parsed. `tooMany`: too many came about the same e-mail. `unknownAddress`: the e-mail does not exist, or was
 * deleted.
 */
type DropReason = 'settled' | 'notABounce' | 'notRead' | 'tooMany' | 'unknownAddress';

export interface ReceivedBounce {
  /** The attempt that the envelope sender's address names. */
  readonly attemptId: string;
  /** The sender of its envelope, empty of a bounce; null: not known. */
  readonly sender: string | null;
  readonly raw: Buffer;
}

/** Applies a bounce; a repeated delivery changes nothing, because the first report is final. */
export async function receiveBounce(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  received: ReceivedBounce,
): Promise<BounceOutcome> {
  const attempt = await findEmailAttempt(db, received.attemptId);
  if (attempt === null) return dropped('unknownAddress');
  const outcome = attempt.isOpen ? await take(db, clock, attempt, received) : dropped('settled');
  await countBounce(db, outcome.state === 'dropped' ? outcome.reason : outcome.state);
  return outcome;
}

const dropped = (reason: DropReason): BounceOutcome => ({ state: 'dropped', reason });

async function take(
  db: Database,
  clock: Clock,
  { gateway }: EmailAttempt,
  { attemptId, sender, raw }: ReceivedBounce,
): Promise<BounceOutcome> {
  if (!(await isWithinLimit(db, attemptId))) return dropped('tooMany');
  const bounce = whyNotRead(raw) === null ? await parsed(raw, sender) : null;
  if (bounce === null) return dropped('notRead');
  if (bounce.kind === 'other') return dropped('notABounce');
  if (bounce.kind === 'delayed') return { state: 'delayed' };
  const said = redactedGatewayText(bounce.why) || 'The mail server does not say why.';
  const isOfAll = saysUnauthenticated(bounce.why);
  // Texts that look like a phone number are taken out, and a code of this length does.
  const inWords = `${enhancedCodeOf(bounce.why)} ${said}`;
  if (isOfAll) await countUnauthenticated(db, inWords, clock.machineNow());
  const why = isOfAll ? refusedLikeAll : said;
  await recordFailedDelivery(db, { ...bounce, attemptId, gateway, why }, clock.now());
  return { state: 'undelivered', why };
}

/**
 * Every recipient of the e-mail knows this address, and parsing takes time, so bounces are limited. A mail server reports a delay
 * about once a day.
 */
const limit: RateLimit = { policy: 'mail-bounces', quota: 10, windowSeconds: 3_600 };

async function isWithinLimit(db: Database, attemptId: string): Promise<boolean> {
  try {
    await countAttempt({ db }, { limit, refusal: 'too many bounces', source: ['mail-bounce', attemptId] });
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

async function parsed(raw: Buffer, sender: string | null): Promise<Bounce | null> {
  return parseInWorker(raw, 'bounce', { sender }).catch((error) => {
    if (error instanceof TooComplex) return null;
    throw error;
  });
}
