/** A bounce: what came to the envelope sender of one attempt. A fault is reported to nobody: a bounce of a bounce never stops. */

import type { Clock } from '#base/clock.ts';
import { redactedGatewayText } from '#base/values/redacted-gateway-text.ts';
import { Problem } from '#errors.ts';
import { countAttempt } from '#platform/attempts/limit.ts';
import type { Database } from '#platform/db/database.ts';
import type { RateLimit } from '#platform/http/rate-limit.ts';
import { recordFailedDelivery } from '#product/sending/bounce/record.ts';
import { countBounce, type EmailAttempt, findEmailAttempt } from '#product/sending/bounce/store.ts';
import { whyNotRead } from '../bounds.ts';
import { parseInWorker, TooComplex } from '../parse-in-worker.ts';
import type { Bounce } from './bounce.ts';

export type BounceOutcome =
  /** The e-mail did not arrive, and will not. */
  | { readonly state: 'undelivered'; readonly why: string }
  /** The mail server goes on trying: nothing is changed. */
  | { readonly state: 'delayed' }
  | { readonly state: 'dropped'; readonly reason: DropReason };

/**
 * `settled`: what became of the e-mail is known already. `notABounce`: a program or a person answered. `notRead`: it is too large, or
 * can't be read. `tooMany`: others came about the same e-mail. `unknownAddress`: there is no such e-mail any more.
 */
type DropReason = 'settled' | 'notABounce' | 'notRead' | 'tooMany' | 'unknownAddress';

export interface ReceivedBounce {
  /** The attempt that the address names. */
  readonly attemptId: string;
  readonly raw: Buffer;
}

/** Takes a bounce once, however often it is delivered: its first report is final. */
export async function receiveBounce(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  received: ReceivedBounce,
): Promise<BounceOutcome> {
  const attempt = await findEmailAttempt(db, received.attemptId);
  if (attempt === null) return dropped('unknownAddress');
  const outcome = attempt.isOpen ? await take(db, clock.now(), attempt, received) : dropped('settled');
  await countBounce(db, outcome.state === 'dropped' ? outcome.reason : outcome.state);
  return outcome;
}

const dropped = (reason: DropReason): BounceOutcome => ({ state: 'dropped', reason });

async function take(
  db: Database,
  now: Date,
  { gateway }: EmailAttempt,
  { attemptId, raw }: ReceivedBounce,
): Promise<BounceOutcome> {
  if (!(await isWithinLimit(db, attemptId))) return dropped('tooMany');
  const bounce = whyNotRead(raw) === null ? await parsed(raw) : null;
  if (bounce === null) return dropped('notRead');
  if (bounce.kind === 'other') return dropped('notABounce');
  if (bounce.kind === 'delayed') return { state: 'delayed' };
  const why = redactedGatewayText(bounce.why) || 'The mail server does not say why.';
  await recordFailedDelivery(db, { ...bounce, attemptId, gateway, why }, now);
  return { state: 'undelivered', why };
}

/** Whoever got the e-mail knows the address, and each that is read costs time. A mail server says once a day that it still tries. */
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

async function parsed(raw: Buffer): Promise<Bounce | null> {
  return parseInWorker(raw, 'bounce').catch((error) => {
    if (error instanceof TooComplex) return null;
    throw error;
  });
}
