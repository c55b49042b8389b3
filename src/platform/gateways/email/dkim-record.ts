/** The DNS record that DKIM needs. */
import { createPublicKey } from 'node:crypto';
import type { DkimSettings } from '#base/config/dkim.ts';

/** Name and value of the TXT record that publishes the public key to mailboxes (RFC 6376, 3.6). */
export function dkimRecord({ domain, selector, key }: DkimSettings): { name: string; value: string } {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  return { name: `${selector}._domainkey.${domain}`, value: `v=DKIM1; k=rsa; p=${publicKey}` };
}
