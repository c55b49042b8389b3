/** Trials of mail servers, automatic answers, forwarding and mail programs. */

import type { Bounce } from '#product/messaging/inbox/mail/bounce/bounce.ts';
import { parseBounce } from '#product/messaging/inbox/mail/bounce/parse.ts';
import { readHeaders } from '#product/messaging/inbox/mail/headers.ts';
import { parseText } from '#product/messaging/inbox/mail/parse.ts';
import { desk, digest, garage, sender } from '../../test/fixtures/quoted-replies.ts';
import { plainText } from './messages.ts';
import type { Left } from './room.ts';
import type { Trial } from './trial.ts';

/** The envelope sender of a bounce is empty. */
const readBounce = parseBounce as (raw: Uint8Array, sender?: string) => Promise<Bounce>;

/** Its verdict, and what of the reply (refuser.pl) is in its reason. */
const inWords = (bounce: Bounce): string => {
  if (bounce.kind !== 'failed') return bounce.kind;
  const isMarked = bounce.isAddressInvalid && 'marked';
  const isWhole = bounce.why.includes('else.example/unknown') && 'both lines';
  const isReadable = bounce.why.includes('(boîte pleine)') && 'as written';
  return ['undelivered', isMarked, isWhole, isReadable].filter(Boolean).join(', ');
};

/** Of each e-mail of a mailbox: what was its recipient, and what is read of it. */
async function bouncesOf(left: Left): Promise<string> {
  const mails = left
    .read('bounces')
    .toString('latin1')
    .split(/^From .*\n/m)
    .filter((mail) => mail.trim() !== '');
  const found = new Map<string, string>();
  for (const mail of mails) {
    const [, name = '?'] = /\b(gone|full|blocked)@else\.example/.exec(mail) ?? [];
    found.set(name, inWords(await readBounce(Buffer.from(mail, 'latin1'), '')));
  }
  return ['gone', 'full', 'blocked']
    .map((name) => `${name}: ${found.get(name) ?? 'nothing came'}`)
    .join('; ');
}

/** `isWhole` is false of one that reports the first line of a reply alone. */
const server = (
  name: string,
  program: string,
  packages: readonly string[],
  { isWhole = true } = {},
): Trial => ({
  ...{ name, program, packages, kind: 'Mail servers' },
  command: `sh mail/${name}.sh`,
  tried:
    'its report to the sender of what the next server refuses: `550 5.1.1` in two lines (gone), `552 5.2.2` in UTF-8 (full), `550 5.7.1 … listed` (blocked)',
  result: bouncesOf,
  expected: `gone: undelivered, marked${isWhole ? ', both lines' : ''}; full: undelivered, as written; blocked: undelivered`,
});

/** Whom it answers, whether it says what it is (RFC 3834), and what is read of it where it arrives. */
async function answerOf(left: Left): Promise<string> {
  const raw = Buffer.from(
    left
      .read('answer')
      .toString('latin1')
      .replace(/^From .*\n/, ''),
    'latin1',
  );
  const { isAutomatic } = await readHeaders(raw);
  const bounce = await readBounce(raw, '');
  const whom = /^To:.*\b(?:bounce|pitlane)@/im.test(String(raw)) ? 'the envelope’s sender' : 'somebody else';
  return `answers ${whom}, ${isAutomatic ? 'says' : 'does not say'} that it is automatic; as a bounce: ${bounce.kind}`;
}

const notice = plainText({
  from: `Pitlane <${sender}>`,
  to: desk,
  subject: 'New booking',
  text: 'Sam Taylor, 9 am.',
});
const answer = (
  name: string,
  program: string,
  command: string,
  packages: readonly string[],
  isMarked = true,
): Trial => ({
  ...{ name, program, command, packages, kind: 'Automatic answers, forwarding' },
  files: { 'notice.eml': notice },
  tried: 'its answer to a notice, whose phone number is no code of a bounce',
  result: answerOf,
  expected: `answers the envelope’s sender, ${isMarked ? 'says' : 'does not say'} that it is automatic; as a bounce: other`,
});

const sent = { senders: [sender], names: [garage], recipients: [desk], answers: [] };
const wordsOf = async (raw: Buffer): Promise<string> => {
  const words = await parseText(raw, sent);
  return 'text' in words ? JSON.stringify(words.text) : `refused: ${words.refusal}`;
};

export const mailTrials: readonly Trial[] = [
  server('courier', 'Courier', ['courier-mta', 'courier-authdaemon']),
  server('dma', 'dma (DragonFly)', ['dma']),
  server('exim', 'Exim', ['exim4-daemon-light']),
  server('opensmtpd', 'OpenSMTPD', ['opensmtpd']),
  server('nullmailer', 'nullmailer', ['nullmailer']),
  server('postfix', 'Postfix', ['postfix']),
  server('sendmail', 'Sendmail', ['sendmail-bin', 'sendmail-cf', 'sensible-mda'], { isWhole: false }),
  answer('vacation', 'vacation', 'sh mail/vacation.sh', ['vacation'], false),
  answer('sieve-vacation', 'Dovecot’s Sieve, vacation', 'sh mail/dovecot.sh vacation', [
    'dovecot-sieve',
    'dovecot-core',
  ]),
  answer('exim-vacation', 'Exim’s filter, vacation', 'sh mail/exim-vacation.sh', ['exim4-daemon-light']),
  {
    ...{ name: 'sieve-forward', program: 'Dovecot’s Sieve, redirect', kind: 'Automatic answers, forwarding' },
    ...{ command: 'sh mail/dovecot.sh forward', packages: ['dovecot-sieve', 'dovecot-core'] },
    files: {
      'reply.eml': plainText({
        ...{ from: `Desk <${desk}>`, to: 'pat@garage.example', subject: `Re: ${digest.subject}` },
        text: `Ready at 5.\n\nOn 4 Apr 2029, at 15:59, ${garage} <${sender}> wrote:\n\n${digest.text.replace(/^/gm, '> ')}`,
      }),
    },
    tried: 'a workshop’s reply that it forwards to an address for replies',
    async result(left) {
      const raw = left.read('answer');
      const { author, isAutomatic } = await readHeaders(raw);
      return `${isAutomatic ? 'dropped' : `a reply of ${author}`}: ${await wordsOf(raw)}`;
    },
    expected: `a reply of ${desk}: "Ready at 5."`,
  },
  {
    ...{
      name: 's-nail',
      program: 's-nail (mailx)',
      kind: 'Mail programs',
      command: 'sh mail/s-nail.sh',
      packages: ['s-nail'],
    },
    files: {
      'digest.eml': plainText({
        from: `${garage} <${sender}>`,
        to: desk,
        subject: digest.subject,
        text: digest.text,
      }),
    },
    tried: 'its reply to an e-mail of two customers’ answers, quoted whole',
    result: async (left) => wordsOf(left.read('answer')),
    expected: '"Ready at 5."',
  },
];
