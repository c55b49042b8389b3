/** The headers of the API document: those of requests by the declaration that brings them, those of responses as components. */

import type { Operation } from './operation.ts';

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string' },
  example,
});

export const responseHeaders = {
  'X-Request-Id': text(
    "The request's id, also in error bodies: your own when you sent one of up to 128 letters, digits and `._:-`.",
    '0198f3a2-7e56-7d20-a1b7-93f4c8de5103',
  ),
  ETag: text('The version of the booking; send it as If-Match to change no other one.', '"3"'),
  'Idempotent-Replayed': text(
    '`true` when this is the answer to an earlier request with the same key.',
    'true',
  ),
  'Pitlane-Ignored-Fields': text(
    'The fields of the body that the operation does not know or does not change, and the parameters of the query that it does not know, these with a leading `?`: paths, percent-encoded, with commas between, the first 20 and 1 KB. Absent when there is none.',
    'customerNmae,services%5B0%5D.colour',
  ),
  RateLimit: text(
    'What is left of the limit, and in how many seconds it is whole again.',
    '"messages";r=4;t=1',
  ),
  'RateLimit-Policy': text('The limit: how many requests in how many seconds.', '"messages";q=5;w=1'),
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'WWW-Authenticate': text('The challenge of RFC 6750.', 'Bearer realm="pitlane", error="invalid_token"'),
};

type ResponseHeader = keyof typeof responseHeaders;
const ofLimit: readonly ResponseHeader[] = ['RateLimit', 'RateLimit-Policy'];

/** Beside X-Request-Id, which every response carries. */
const ofErrors: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', ...ofLimit],
  503: ['Retry-After'],
};

const referTo = (names: readonly ResponseHeader[]) =>
  Object.fromEntries(
    ['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

export function errorHeaders(status: number) {
  return referTo(ofErrors[status] ?? []);
}

export function successHeaders({ versioned, idempotent, keyIsReference, refusals }: Operation) {
  return referTo([
    ...(versioned ? ['ETag' as const] : []),
    ...(idempotent || keyIsReference ? ['Idempotent-Replayed' as const] : []),
    ...(429 in refusals ? ofLimit : []),
    'Pitlane-Ignored-Fields' as const,
  ]);
}

/** Request headers by the field of a declaration that brings them. `security` in the document says who has to sign in. */
const requestHeaders = {
  idempotent: {
    in: 'header',
    name: 'Idempotency-Key',
    required: false,
    description:
      '1 to 255 characters. The same key with the same body within 24 hours replays the first success.',
  },
  keyIsReference: {
    in: 'header',
    name: 'Idempotency-Key',
    required: false,
    description:
      '1 to 255 characters, kept for good: for the same workshop and customer a request that was sent before is replayed whatever its body says, and one that failed is sent again.',
  },
  ifMatch: {
    in: 'header',
    name: 'If-Match',
    required: false,
    description: 'The ETag of the version that this update builds on, as it came; another one gives 412.',
  },
  body: {
    in: 'header',
    name: 'Pitlane-Strict',
    required: false,
    description:
      'With `on` a field of the body or a parameter that the operation does not know is refused with 400, not ignored.',
    schema: { type: 'string', enum: ['on', 'off'] },
  },
} as const;

export function headerParameters(operation: Operation) {
  const fields = Object.keys(requestHeaders) as (keyof typeof requestHeaders)[];
  return fields
    .filter((field) => field === 'body' || operation[field])
    .map((field) => ({ schema: { type: 'string' }, ...requestHeaders[field] }));
}
