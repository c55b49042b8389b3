/** `pitlane inbox receive-mail`: what a mail server pipes an e-mail into; its exit codes are those of sysexits.h, which mail servers know. */
import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import { ExitError } from './exit-error.ts';
import { lineOf } from './failure.ts';
import { details } from './output.ts';
import { withSession } from './session.ts';
import { terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';
import { verb } from './verb.ts';

/** EX_DATAERR: the mail server returns the e-mail to its author, with our line. */
const refusedForGood = 65;
/** EX_TEMPFAIL: the mail server keeps the e-mail and tries again. */
const tryAgain = 75;

interface Options {
  readonly to?: string;
  readonly from?: string;
}

export function registerReceiveMail(inbox: Command): void {
  const receive = {
    usage: 'receive-mail [file]',
    summary:
      "take a workshop's e-mail as a reply to a customer, from standard input unless a file is named; for mail servers",
    examples: [
      'inbox receive-mail --to reply+0198c6a8…@reply.example.com --from desk@garage.example < message',
    ],
  };
  verb<Options>(inbox, receive, async ([file = '-'], options) => {
    const { env } = terminal();
    const { to = env['RECIPIENT'], from: sender = env['SENDER'] ?? null } = options;
    const { MailRefused, receiveMail } = await import('#product/messaging/inbox/mail/receive.ts');
    const { readMail } = await import('#product/messaging/inbox/mail/read.ts');
    try {
      if (to === undefined) throw new UsageError('say whom it was delivered to: --to <address>');
      // Before the database is opened: standard input may take its time.
      const raw = await readMail(file === '-' ? process.stdin : createReadStream(file));
      return await withSession(async ({ db, clock, config }) => {
        const { admittedSealing } = await import('#platform/key-fingerprint/admit.ts');
        const sealing = await admittedSealing(db, config);
        const outcome = await receiveMail({ db, clock, config, sealing }, { to, sender, raw });
        return { json: outcome, text: details({ ...outcome }) };
      });
    } catch (error) {
      throw new ExitError(error instanceof MailRefused ? refusedForGood : tryAgain, lineOf(error));
    }
  })
    .option(
      '--to <address>',
      'whom the e-mail was delivered to, of its envelope; else RECIPIENT of the environment, which Exim sets',
    )
    .option(
      '--from <address>',
      'who sent it, of its envelope, empty for a bounce; else SENDER of the environment',
    );
}
