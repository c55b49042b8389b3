/**
 * MessageMedia's signature of its requests: RSA over the request line, the Date header and the body, one after another
 * without anything between (its guide "Enterprise webhooks").
 */
import { type KeyObject, verify } from 'node:crypto';
import type { CallbackRequest } from '../gateway.ts';

const digests = new Map(['sha224', 'sha256', 'sha512'].map((digest) => [digest, digest]));

/** `pathBefore` is what the address that it calls has before the path that reaches us. */
export function isSigned(
  { url, headers, body }: CallbackRequest,
  publicKeys: readonly KeyObject[],
  pathBefore: string,
): boolean {
  const digest = digests.get(one(headers['x-messagemedia-digest-type']).toLowerCase().replace('-', ''));
  const signature = Buffer.from(one(headers['x-messagemedia-signature']), 'base64');
  if (digest === undefined || signature.length === 0) return false;
  // It is posted in HTTP 1.1, whatever a proxy makes of it on the way.
  const line = `POST ${pathBefore}${url} HTTP/1.1${one(headers['date'])}`;
  const signed = Buffer.concat([Buffer.from(line), body]);
  return publicKeys.some((key) => verify(digest, signed, key, signature));
}

const one = (header: string | readonly string[] | undefined) => (typeof header === 'string' ? header : '');
