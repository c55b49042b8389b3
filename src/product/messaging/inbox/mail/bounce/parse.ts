/** Parses what was delivered to the envelope sender of an e-mail (MIME). */
import { isUtf8 } from 'node:buffer';
import { readMime, textOf } from '../mime.ts';
import { type Bounce, other } from './bounce.ts';
import { originOf } from './origin.ts';
import { bounceOfReport } from './report.ts';
import { bounceOfWords } from './words.ts';

/** RFC 3464, and RFC 6533 for addresses beyond ASCII. */
const report = /^message\/(?:global-)?delivery-status$/;
/** Complaints (RFC 5965), and what tells that somebody opened or deleted an e-mail (RFC 8098). */
const otherReport = /^message\/(?:feedback-report|(?:global-)?disposition-notification)$/;
/** Fields of a report in a part for people (Amazon WorkMail). */
const reportInText = /^(?:Reporting-MTA|Final-Recipient|Diagnostic-Code) ?:/im;
/** In bytes, with the headers. */
const bodyAtMost = 150_000;
const actionInText = /^Action ?:/im;

/**
 * `sender` is the envelope's, empty of a bounce; null: not known. Throws an Error when it is nested too deeply, or has megabytes of
 * headers.
 */
export async function parseBounce(raw: Uint8Array, sender: string | null = null): Promise<Bounce> {
  const mail = await readMime(raw);
  if (mail.attachments.some(({ mimeType }) => otherReport.test(mimeType))) return other;
  const read = withoutOctal(await textOf(mail));
  const text = read.trim() === '' && mail.attachments.length === 0 ? bodyOf(raw) : read;
  const status = mail.attachments.find(({ mimeType }) => report.test(mimeType));
  const reported = status === undefined ? null : bounceOfReport(withoutOctal(decoded(status.content)), text);
  if (reported !== null) return reported;
  const origin = originOf(mail, sender);
  if (origin === 'other') return other;
  const at = text.search(reportInText);
  if (at >= 0 && actionInText.test(text)) return bounceOfReport(text, text.slice(0, at)) ?? other;
  const valuesOf = (name: string) =>
    mail.headers.filter(({ key }) => key === name).map(({ value }) => value.trim());
  return bounceOfWords({
    subject: mail.subject ?? '',
    text,
    isOfMailSystem: origin === 'system',
    failedRecipients: valuesOf('x-failed-recipients').join(','),
  });
}

/** The body as it stands: of an e-mail whose parts are written wrong, which some servers do. */
function bodyOf(raw: Uint8Array): string {
  const bytes = Buffer.from(raw.subarray(0, bodyAtMost));
  const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  const at = /\r?\n\r?\n/.exec(text)?.index;
  return at === undefined ? '' : text.slice(at);
}

/** Exim writes each octet of a reply that is not ASCII as `\303`. What is no UTF-8 stays. */
const withoutOctal = (text: string) =>
  text.replace(/(?:\\[23][0-7]{2}){2,}/g, (octets) => {
    const bytes = Buffer.from(
      octets
        .slice(1)
        .split('\\')
        .map((octal) => Number.parseInt(octal, 8)),
    );
    return isUtf8(bytes) ? bytes.toString('utf8') : octets;
  });

const decoded = (content: string | ArrayBuffer | Uint8Array) =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);
