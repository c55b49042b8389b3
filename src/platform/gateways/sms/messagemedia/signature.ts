/**
 * Checks MessageMedia's signature of its requests: RSA over the request line, the Date header and the body, joined without
 * separators (its guide "Enterprise webhooks"). So that the same bytes cannot be split at another place, and a customer's text be
 * read as a request, the Date must have HTTP's one form and length (RFC 9110, 5.6.7: IMF-fixdate), and the body must be JSON.
 */
import { type KeyObject, verify } from 'node:crypto';
import { isJson } from '../fields.ts';
import type { CallbackHead, CallbackRequest } from '../gateway.ts';

const digests = new Map(['sha224', 'sha256', 'sha512'].map((digest) => [digest, digest]));

/** `pathBefore` is the part of the called path that a proxy removes before the request reaches us. */
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
  // MessageMedia signs HTTP/1.1, whatever version the proxy uses towards us.
  const line = `POST ${pathBefore}${url} HTTP/1.1${date}`;
  const signed = Buffer.concat([Buffer.from(line), body]);
  return publicKeys.some((key) => verify(digest, signed, key, signature));
}

/** True when the head has what a signed request has. Whether the signature is right, the body tells. */
export function hasSignature({ headers }: CallbackHead): boolean {
  return one(headers['x-messagemedia-signature']) !== '' && isHttpDate(one(headers['date']));
}

/** The date as JavaScript writes it, which is HTTP's form of 29 characters. */
const isHttpDate = (text: string) => text.length === 29 && new Date(text).toUTCString() === text;

const one = (header: string | readonly string[] | undefined) => (typeof header === 'string' ? header : '');
