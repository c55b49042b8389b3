/**
 * Hands over the e-mails to people about their sign-in. They are not stored as messages: a code must be neither in the outbox nor
 * in the stored texts of messages.
 */

import { publicUrl } from '#base/config/public-url.ts';
import { jitteredPauseMs } from '#base/values/backoff.ts';
import type { Context } from '#platform/context.ts';
import { allEnded } from '#platform/db/every-step.ts';
import type { OutboundEmail } from '#platform/gateways/email/gateway.ts';
import { alone, type Job } from '#platform/work/failed/alone.ts';
import { mailsCodes } from '#product/people/codes/ask.ts';
import {
  claimAccountEmails,
  type DueAccountEmail,
  deleteAccountEmail,
  postponeAccountEmail,
} from '#product/people/emails/store.ts';
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
/** The pause after each failed attempt; after the last one the e-mail is given up. A code has expired by then. */
const pausesMs = [5_000, 20_000, 60_000, 180_000, 300_000];

export const accountEmailJob: Job = { job: 'sendAccountEmail', subject: 'accountEmailId' };

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
  const isOver =
    outcome === null ||
    outcome.state === 'accepted' ||
    (outcome.state === 'refused' && outcome.permanent) ||
    due.tries > pausesMs.length;
  if (isOver) return deleteAccountEmail(ctx.db, due.id);
  return postponeAccountEmail(ctx.db, due.id, jitteredPauseMs(pausesMs, due.tries));
}

/** Null: there is nothing to send, for example when nobody has the address. */
function compose({ config, sealing }: Context, due: DueAccountEmail): OutboundEmail | null {
  const { to, kind, codeId, codeSealed } = due;
  if (to === null) return null;
  if (kind === 'invitation') {
    const url = publicUrl(config);
    return invitationEmail(due, to, url && `${url}/console/sign-in`);
  }
  // As with codes: a sandbox that stores what is sent gets no e-mail about a sign-in.
  if (kind === 'signInChange')
    return due.what && mailsCodes(config) ? changeEmail(due.id, to, due.what) : null;
  if (kind === 'emailChanged') return mailsCodes(config) ? emailChangedEmail(due.id, to) : null;
  const code = codeId && codeSealed && sealing.open('signInCode', codeSealed, codeId);
  if (!codeId || !code) return null;
  return kind === 'emailChangeCode' ? emailChangeCodeEmail(codeId, to, code) : codeEmail(codeId, to, code);
}
