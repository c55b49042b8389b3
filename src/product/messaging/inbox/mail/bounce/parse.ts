/** Parses what was delivered to the envelope sender of an e-mail (MIME). */
import { readHeaders } from '../headers.ts';
import { readMime } from '../mime.ts';
import type { Bounce } from './bounce.ts';
import { bounceOfReport } from './report.ts';
import { bounceOfWords } from './words.ts';

/** RFC 3464, and RFC 6533 for addresses beyond ASCII. */
const report = /^message\/(?:global-)?delivery-status$/;

/** Throws an Error when it is nested too deeply, or has megabytes of headers. */
export async function parseBounce(raw: Uint8Array): Promise<Bounce> {
  const mail = await readMime(raw);
  const status = mail.attachments.find(({ mimeType }) => report.test(mimeType));
  if (status !== undefined) return bounceOfReport(textOf(status.content), mail.text ?? '');
  const valuesOf = (name: string) =>
    mail.headers.filter(({ key }) => key === name).map(({ value }) => value.trim());
  return bounceOfWords({
    author: (await readHeaders(Buffer.from(raw))).author,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    failedRecipients: valuesOf('x-failed-recipients').join(','),
  });
}

const textOf = (content: string | ArrayBuffer | Uint8Array) =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);
