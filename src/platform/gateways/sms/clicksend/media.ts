/**
 * Where ClickSend keeps what customers send by MMS: it brings a link in place of the picture, which ends after seven days (its help,
 * "How does inbound MMS work?"). The page says neither in which field nor at which host.
 */
import type { InboundAttachment } from '../callbacks.ts';
import { type Fields, textIn } from '../fields.ts';

/** ClickSend's own hosts, and its buckets at Amazon S3, where its API has the files of MMS. */
const host =
  /^(?:[a-z0-9-]+\.)*clicksend\.com$|^clicksend-[a-z0-9-]+\.s3(?:[.-][a-z0-9-]+)?\.amazonaws\.com$/;

/** Null for an address that is not ClickSend's: the text may have links of the customer's own. */
export function mediaUrl(named: string): URL | null {
  const url = URL.parse(named);
  const isPlain = url?.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';
  return isPlain && host.test(url.hostname) ? url : null;
}

const link = /https:\/\/[^\s<>"]+/g;
const punctuation = new Set('.,;:!?)]}');

/** Without the signs that end a sentence, which are no part of a link. */
function linkIn(text: string): string {
  let end = text.length;
  while (punctuation.has(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Returns the attachments of an answer: those of the field that ClickSend's API has for the file of an MMS, and those in the text. */
export function mediaIn(record: Fields, body: string): InboundAttachment[] {
  const named = [textIn(record, '_media_file_url') ?? '', ...(body.match(link) ?? [])];
  const links = named.flatMap((text) => mediaUrl(linkIn(text))?.href ?? []);
  // The kind is known by the bytes.
  return [...new Set(links)].map((url) => ({ contentType: '', url }));
}
