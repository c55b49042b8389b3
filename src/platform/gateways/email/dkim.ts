/** DKIM (RFC 6376), by the mail library. */
import DKIM from 'nodemailer/lib/dkim';
import type { DkimSettings } from '#base/config/dkim.ts';

/** Signs these headers when they are present. The library's own list lacks two that tell mailboxes what they may do. */
const signedHeaders = [
  ...['from', 'to', 'subject', 'reply-to', 'date', 'message-id'],
  ...['mime-version', 'content-type', 'content-transfer-encoding'],
  ...['auto-submitted', 'list-unsubscribe', 'list-unsubscribe-post'],
];

/** The library silently sends a message unsigned when its key cannot sign; the settings have checked the key. */
export function dkimSigner({ domain, selector, key }: DkimSettings): DKIM {
  return new DKIM({
    domainName: domain,
    keySelector: selector,
    privateKey: key,
    headerFieldNames: signedHeaders.join(':'),
  });
}
