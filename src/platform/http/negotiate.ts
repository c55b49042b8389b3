/** Content negotiation: the content type and the encoding that a request prefers. */
import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';

/** Parameters beside the quality: no type has variants here. */
const parameters = /;\s*(?!q\s*=)[^;,]*/gi;

/**
 * The content type that `Accept` ranks first, by quality and then by the order in which they are given here. The first one when
 * the header is missing or accepts none of them: a response in another form is more useful than a refusal.
 */
export function preferredType<Type extends string>(
  headers: IncomingHttpHeaders,
  types: readonly [Type, ...Type[]],
): Type {
  const accept = headers.accept?.replace(parameters, '');
  const preferred = new Negotiator({ headers: accept === undefined ? {} : { accept } }).mediaType([...types]);
  return types.find((type) => type === preferred) ?? types[0];
}

const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

/** The encoding that makes a text smallest among those that the client accepts; none when the header is missing. */
export function preferredEncoding(headers: IncomingHttpHeaders): Encoding {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return 'identity';
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted } });
  return encodings.find((encoding) => negotiator.encoding([encoding]) === encoding) ?? 'identity';
}
