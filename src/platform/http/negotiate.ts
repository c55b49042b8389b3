/** Which form of an answer a request prefers: its content type, its encoding. */
import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';

/** Parameters beside the quality: no type has variants here. */
const parameters = /;\s*(?!q\s*=)[^;,]*/gi;

/**
 * The content type that `Accept` ranks first, by quality and then by the order in which they are given here. The first of them
 * where the header is missing, or takes none: an answer in another form says more than a refusal.
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

/** The encoding that makes a text smallest of those that the client takes; none where the header is missing. */
export function preferredEncoding(headers: IncomingHttpHeaders): Encoding {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return 'identity';
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted } });
  return encodings.find((encoding) => negotiator.encoding([encoding]) === encoding) ?? 'identity';
}
