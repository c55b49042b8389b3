/**
 * MessageMedia's signature of its requests: RSA over the request line, the Date header and the body, one after another
 * without anything between (its guide "Enterprise webhooks"). So that the same bytes can't be cut apart at another place, and
 * what a customer wrote be read as a request, the Date must have the one form and length of HTTP (RFC 9110, 5.6.7: IMF-fixdate),
 * and the body must be JSON.
 */
import { type KeyObject, verify } from 'node:crypto';
import { isJson } from '../fields.ts';
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
  const date = one(headers['date']);
  if (digest === undefined || signature.length === 0 || !isHttpDate(date) || !isJson(body.toString()))
    return false;
  // It is posted in HTTP 1.1, whatever a proxy makes of it on the way.
  const line = `POST ${pathBefore}${url} HTTP/1.1${date}`;
  const signed = Buffer.concat([Buffer.from(line), body]);
  return publicKeys.some((key) => verify(digest, signed, key, signature));
}

/** Just as JavaScript writes it, which is the form of HTTP, of 29 characters. */
const isHttpDate = (text: string) => text.length === 29 && new Date(text).toUTCString() === text;

const one = (header: string | readonly string[] | undefined) => (typeof header === 'string' ? header : '');
