/** What DNS says for DKIM. */
import { createPublicKey } from 'node:crypto';
import type { DkimSettings } from '#config/dkim.ts';

/** The name and the value of the TXT record that tells mailboxes the public key (RFC 6376, 3.6). */
export function dkimRecord({ domain, selector, key }: DkimSettings): { name: string; value: string } {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  return { name: `${selector}._domainkey.${domain}`, value: `v=DKIM1; k=rsa; p=${publicKey}` };
}
