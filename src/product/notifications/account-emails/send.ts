/**
 * Hands over the e-mails to people about their sign-in. They are not stored as messages: they belong to no workshop, their texts are
 * made at the hand-over, and a code must be neither in the outbox nor in the stored texts of messages. But for codes, which soon expire,
 * they are tried again after the pauses of messages, for a day, and then wait for the operator as a dead letter.
 */

import { publicUrl } from '#base/config/public-url.ts';
import { jitteredPauseMs } from '#base/values/backoff.ts';
import { redactedGatewayText } from '#base/values/redacted-gateway-text.ts';
import type { Context } from '#platform/context.ts';
import { allEnded } from '#platform/db/run-all.ts';
import type { EmailOutcome, OutboundEmail } from '#platform/gateways/email/gateway.ts';
import { alone } from '#platform/work/failed/alone.ts';
import { mailsCodes } from '#product/people/codes/ask.ts';
import { accountEmailJob, giveUpAccountEmail } from '#product/people/emails/letters.ts';
import {
  claimAccountEmails,
  type DueAccountEmail,
  deleteAccountEmail,
  postponeAccountEmail,
} from '#product/people/emails/store.ts';
import { backoffMs } from '#product/sending/backoff.ts';
import { recordOf } from '#product/sending/finish/outcome.ts';
import { deferralMs } from '#product/sending/send.ts';
import {
  changeEmail,
  codeEmail,
  emailChangeCodeEmail,
  emailChangedEmail,
  invitationEmail,
} from './compose.ts';

const atOnce = 20;
/** Longer than a hand-over may take. */
const leaseSeconds = 90;
/** The pause after each failed attempt of a code; after the last one it is given up: the code has expired by then. */
const codePausesMs = [5_000, 20_000, 60_000, 180_000, 300_000];

/** Runs every second; two processes may run it at once. Returns how many it tried. */
export async function sendAccountEmails(ctx: Context): Promise<number> {
  const claimed = await claimAccountEmails(ctx.db, { limit: atOnce, job: accountEmailJob.job }, leaseSeconds);
  await allEnded(claimed.map((due) => alone(ctx, accountEmailJob, due.id, () => sendOne(ctx, due))));
  return claimed.length;
}

/** Retries one e-mail that failed. */
export async function sendAccountEmailAgain(ctx: Context, id: string): Promise<void> {
  for (const due of await claimAccountEmails(ctx.db, { id }, leaseSeconds)) await sendOne(ctx, due);
}

async function sendOne(ctx: Context, due: DueAccountEmail): Promise<void> {
  const composed = compose(ctx, due);
  const outcome = composed === null ? null : await ctx.email.send(composed);
  if (outcome === null || outcome.state === 'accepted') return deleteAccountEmail(ctx.db, due.id);
  const isCode = due.kind === 'signInCode' || due.kind === 'emailChangeCode';
  return isCode ? codeLater(ctx, due, outcome) : later(ctx, due, outcome);
}

async function codeLater({ db }: Context, { id, tries }: DueAccountEmail, outcome: EmailOutcome) {
  const isOver = (outcome.state === 'refused' && outcome.permanent) || tries > codePausesMs.length;
  if (isOver) return deleteAccountEmail(db, id);
  return postponeAccountEmail(db, id, jitteredPauseMs(codePausesMs, tries));
}

/** Tried again, or given up where that is of no use: an unknown outcome is repeated with the same Message-ID. */
async function later(ctx: Context, due: DueAccountEmail, outcome: EmailOutcome): Promise<void> {
  const { id, kind, tries, isLate } = due;
  const refusal = outcome.state === 'refused' ? outcome : null;
  if (isLate || refusal?.permanent) {
    const { reason, detail: words } = recordOf(outcome);
    const detail = words && redactedGatewayText(words);
    ctx.log.error({ accountEmailId: id, kind, tries, reason, detail }, 'an account e-mail is given up');
    return giveUpAccountEmail(ctx, due, { reason: reason ?? 'expired', detail });
  }
  return refusal?.notAsked
    ? postponeAccountEmail(ctx.db, id, deferralMs(refusal.retryAfterMs), true)
    : postponeAccountEmail(ctx.db, id, backoffMs(tries));
}

/** Null: there is nothing to send, for example when nobody has the address. */
function compose({ config, sealing }: Context, due: DueAccountEmail): OutboundEmail | null {
  const { to, kind, codeId, codeSealed } = due;
  if (to === null) return null;
  if (kind === 'invitation') {
    const url = publicUrl(config);
    return invitationEmail(due, to, { url, mailsCodes: mailsCodes(config) });
  }
  // As with codes: a sandbox that stores what is sent gets no e-mail about a sign-in.
  if (kind === 'signInChange')
    return due.what && mailsCodes(config) ? changeEmail(due.id, to, due.what) : null;
  if (kind === 'emailChanged') return mailsCodes(config) ? emailChangedEmail(due.id, to) : null;
  const code = codeId && codeSealed && sealing.open('signInCode', codeSealed, codeId);
  if (!codeId || !code) return null;
  return kind === 'emailChangeCode' ? emailChangeCodeEmail(codeId, to, code) : codeEmail(codeId, to, code);
}
