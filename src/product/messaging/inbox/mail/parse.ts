/** Reads what a workshop wrote in an e-mail (MIME), without what it quotes. */
import EmailReplyParser from 'email-reply-parser';
import PostalMime from 'postal-mime';
import { nestedAtMost } from './bounds.ts';
import { headersAtMost } from './headers.ts';

/** Stands above what a reply quotes; what is below it is ours. */
export const replyLine = 'Write your reply above this line.';

/** Characters of HTML that are looked at: Outlook's styles alone have 100,000. */
const htmlAtMost = 1_000_000;

/**
 * What was written, without quoted text, signature, and e-mails that are attached. Takes up to a second or two for the largest that is
 * read. Throws an Error for what is nested too deeply, or has headers of megabytes.
 */
export async function parseText(raw: Uint8Array): Promise<string> {
  const mail = await PostalMime.parse(raw, {
    maxNestingDepth: nestedAtMost,
    maxHeadersSize: headersAtMost,
    forceRfc822Attachments: true,
  });
  return written(mail.text ?? (await textOfHtml((mail.html ?? '').slice(0, htmlAtMost))));
}

/** The library makes text of HTML only where other parts of a message are plain, so it gets one that is empty. */
async function textOfHtml(html: string): Promise<string> {
  const part = (type: string, text: string) =>
    `--part\r\nContent-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(text).toString('base64')}\r\n`;
  const both = part('plain', ' ') + part('html', html);
  const { text } = await PostalMime.parse(
    `Content-Type: multipart/mixed; boundary=part\r\n\r\n${both}--part--\r\n`,
  );
  return text ?? '';
}

/** Characters that are looked at: far more than an SMS may have. */
const readAtMost = 20_000;

/** The line as it comes back: a mail program may break it, and put any number of `>` before each part. */
const replyLineAgain = new RegExp(replyLine.split(' ').map(RegExp.escape).join('[\\s>]+'), 'i');

/** The parser looks at each mark of a quotation again from each before it: no quotation is so deep. */
const marksAtMost = 50;
const markRuns = new RegExp(`>{${marksAtMost},}`, 'g');

/** The reply's own words. */
function written(text: string): string {
  const [own = ''] = text.slice(0, readAtMost).replace(/\r\n?/g, '\n').split(replyLineAgain);
  return new EmailReplyParser()
    .read(
      withoutHeader(own)
        .replace(markRuns, (run) => run.slice(0, marksAtMost))
        .replace(/(?<![\s>])[\s>]+$/, ''),
    )
    .getVisibleText()
    .trim();
}

/** `From: Garage`, `Från: Garage`, `*Objet :* 1 new answer…` */
const headerLine = /^[\s>*]*\p{L}[\p{L} .-]{0,20}\*?\s?[:：]/u;

/**
 * Outlook puts the header of the quoted e-mail above it, in the language of its user. Its subject names customers: a digest's begins
 * with `2 new answers from`. The header is cut at its first line, as is all that follows.
 */
function withoutHeader(own: string): string {
  const lines = own.split('\n');
  const subject = lines.findIndex((line) => headerLine.test(line) && /\b\d+ new answers? from\b/.test(line));
  if (subject < 0) return own;
  const above = lines.slice(0, subject).findLastIndex((line) => !/[^\s>]/.test(line));
  const start = lines.findIndex((line, at) => at > above && headerLine.test(line));
  return lines.slice(0, start).join('\n');
}
