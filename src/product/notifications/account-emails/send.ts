/**
 * Hands over the e-mails to people about their sign-in. They are no messages: a code must stand neither in the outbox nor in what is
 * kept of what was sent.
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
/** After each attempt that failed; then it is given up. A code has run out by then. */
const pausesMs = [5_000, 20_000, 60_000, 180_000, 300_000];

export const accountEmailJob: Job = { job: 'sendAccountEmail', subject: 'accountEmailId' };

/** Runs every second; two processes may run it at once. Returns how many it tried. */
export async function sendAccountEmails(ctx: Context): Promise<number> {
  const claimed = await claimAccountEmails(ctx.db, { limit: atOnce, job: accountEmailJob.job }, leaseSeconds);
  await allEnded(claimed.map((due) => alone(ctx, accountEmailJob, due.id, () => sendOne(ctx, due))));
  return claimed.length;
}

/** One that has failed. */
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

/** Null: there is nothing to send, such as for an address that nobody has. */
function compose({ config, sealing }: Context, due: DueAccountEmail): OutboundEmail | null {
  const { to, kind, codeId, codeSealed } = due;
  if (to === null) return null;
  if (kind === 'invitation') {
    const url = publicUrl(config);
    return invitationEmail(due, to, url && `${url}/console/sign-in`);
  }
  // As with codes: where a sandbox keeps what is sent, nothing about a sign-in is.
  if (kind === 'signInChange')
    return due.what && mailsCodes(config) ? changeEmail(due.id, to, due.what) : null;
  if (kind === 'emailChanged') return mailsCodes(config) ? emailChangedEmail(due.id, to) : null;
  const code = codeId && codeSealed && sealing.open('signInCode', codeSealed, codeId);
  if (!codeId || !code) return null;
  return kind === 'emailChangeCode' ? emailChangeCodeEmail(codeId, to, code) : codeEmail(codeId, to, code);
}
