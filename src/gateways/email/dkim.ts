/** DKIM (RFC 6376), by the mail library. */
import DKIM from 'nodemailer/lib/dkim';
import type { DkimSettings } from '#config/dkim.ts';

/** Signed where they are there. The library's own list lacks two that say what mailboxes may do. */
const signedHeaders = [
  ...['from', 'to', 'subject', 'reply-to', 'date', 'message-id'],
  ...['mime-version', 'content-type', 'content-transfer-encoding'],
  ...['auto-submitted', 'list-unsubscribe', 'list-unsubscribe-post'],
];

/** A message whose key can't sign goes out unsigned, without a word: the settings have tried the key. */
export function dkimSigner({ domain, selector, key }: DkimSettings): DKIM {
  return new DKIM({
    domainName: domain,
    keySelector: selector,
    privateKey: key,
    headerFieldNames: signedHeaders.join(':'),
  });
}
