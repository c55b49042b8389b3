/** Extracts what a workshop wrote in an e-mail (MIME), without quoted text. */
import EmailReplyParser from 'email-reply-parser';
import { readMime, textOf } from './mime.ts';

/** The line above the quoted text of a reply; the text below it is ours. */
export const replyLine = 'Write your reply above this line.';

/**
 * The words of the reply, without quoted text, signature, and attached e-mails. Takes up to two seconds for the largest allowed
 * e-mail. Throws an Error when it is nested too deeply, or has megabytes of headers.
 */
export async function parseText(raw: Uint8Array): Promise<string> {
  const mail = await readMime(raw);
  return written(await textOf(mail));
}

/** The most characters of text that are read: far more than an SMS may have. */
const readAtMost = 20_000;

/** The line in a reply: a mail program may wrap it, and put any number of `>` before each part. */
const replyLineAgain = new RegExp(replyLine.split(' ').map(RegExp.escape).join('[\\s>]+'), 'i');

/** The parser takes quadratic time in the number of quotation marks; no real quotation is this deep. */
const marksAtMost = 50;
const markRuns = new RegExp(`>{${marksAtMost},}`, 'g');

/** The parser takes quadratic time in a run of white space too. */
const blankAtMost = 100;
const blankRuns = new RegExp(`\\s{${blankAtMost},}`, 'g');
const shortBlank = (run: string) => (/[\n\u2028\u2029]/.test(run) ? '\n\n' : ' ');

/** The new words of the reply. */
function written(text: string): string {
  const [own = ''] = text.slice(0, readAtMost).replace(/\r\n?/g, '\n').split(replyLineAgain);
  return new EmailReplyParser()
    .read(
      withoutHeader(own)
        .replace(markRuns, (run) => run.slice(0, marksAtMost))
        .replace(blankRuns, shortBlank)
        .replace(/(?<![\s>])[\s>]+$/, ''),
    )
    .getVisibleText()
    .trim();
}

/** `From: Garage`, `Från: Garage`, `*Objet :* 1 new answer…` */
const headerLine = /^[\s>*]*\p{L}[\p{L} .-]{0,20}\*?\s?[:：]/u;

/**
 * Outlook puts the header of the quoted e-mail above it, in the user's language. Its subject may name customers: that of a digest
 * begins with `2 new answers from`. Everything from the first line of that header on is cut.
 */
function withoutHeader(own: string): string {
  const lines = own.split('\n');
  const subject = lines.findIndex((line) => headerLine.test(line) && /\b\d+ new answers? from\b/.test(line));
  if (subject < 0) return own;
  const above = lines.slice(0, subject).findLastIndex((line) => !/[^\s>]/.test(line));
  const start = lines.findIndex((line, at) => at > above && headerLine.test(line));
  return lines.slice(0, start).join('\n');
}
