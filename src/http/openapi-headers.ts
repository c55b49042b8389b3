/** The response headers of the API document, as components. */

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
    'The fields of the body that the operation does not know or does not change: paths, percent-encoded, with commas between, the first 20 and 1 KB. Absent when there is none.',
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

/** On the success and on the 429 of a limited operation. */
export const rateLimitHeaders = ['RateLimit', 'RateLimit-Policy'] as const;

/** On the success of an operation with a body. */
export const bodyHeaders = ['Pitlane-Ignored-Fields'] as const;

/** Beside X-Request-Id, which every response carries. */
export const errorHeaders: Readonly<Record<string, readonly (keyof typeof responseHeaders)[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', ...rateLimitHeaders],
  503: ['Retry-After'],
};
