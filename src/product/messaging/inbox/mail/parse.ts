/** Extracts what a workshop wrote in an e-mail (MIME), without quoted text. */
import { readMime, textOf } from './mime.ts';
import { type OwnWords, ownWords } from './own-words.ts';
import { nothingKnown, type SentMail } from './sent-mail.ts';

/**
 * The words of the reply to `sent`, without quoted text, signature, and attached e-mails. Takes up to two seconds for the largest
 * allowed e-mail. Throws an Error when it is nested too deeply, or has megabytes of headers.
 */
export async function parseText(raw: Uint8Array, sent: SentMail = nothingKnown): Promise<OwnWords> {
  const { text = '', ...mail } = await readMime(raw);
  // Some programs put an empty text beside the HTML.
  const read = text.trim() === '' ? await textOf({ ...mail, html: inParagraphs(mail.html ?? '') }) : text;
  return ownWords(bounded(read), sent);
}

const preformatted = /(<\/?pre(?![a-z0-9])[^<>]*>)/i;
const blocks =
  /<(?=\/?(?:blockquote|hr|pre|h[1-6]|ul|ol|dl|center|section|article|header|footer)(?![a-z0-9]))/gi;

/**
 * A line break of the source is a space, but in `pre`; each block begins and ends a paragraph, as it is shown: the library knows of
 * some alone.
 */
function inParagraphs(html: string): string {
  let isPre = false;
  return html
    .split(preformatted)
    .map((piece, n) => {
      if (n % 2 === 1) isPre = !piece.startsWith('</');
      return isPre ? piece.replace(/\r?\n/g, '<br>') : piece.replace(/[\t\n\f\r ]+/g, ' ');
    })
    .join('')
    .replace(blocks, '<p><');
}

/** The most characters of text that are read: far more than an SMS may have. */
const readAtMost = 20_000;

/** No real quotation is this deep, and no reply has such gaps. */
const marksAtMost = 50;
const markRuns = new RegExp(`>{${marksAtMost},}`, 'g');
const blankAtMost = 100;
const blankRuns = new RegExp(`\\s{${blankAtMost},}`, 'g');
const shortBlank = (run: string) => (/[\n\u2028\u2029]/.test(run) ? '\n\n' : ' ');

const bounded = (text: string): string =>
  text
    .slice(0, readAtMost)
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(markRuns, (run) => run.slice(0, marksAtMost))
    .replace(blankRuns, shortBlank);
