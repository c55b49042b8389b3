/** Bodies of requests to an operation, and their content types. */
import fc, { type Arbitrary } from 'fast-check';
import { damage } from './damage.ts';
import type { Operation } from './document.ts';
import type { Generators } from './from-schema.ts';
import type { Header } from './headers.ts';
import { type Json, writeJson } from './json-text.ts';
import { anyBody } from './wild.ts';

export interface Body {
  readonly bytes: Buffer;
  readonly headers: readonly Header[];
}

const otherTypes = fc.constantFrom(
  ...[
    '',
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
    '/',
  ],
  ...[
    'application/json, text/plain',
    'application/json; charset=utf-16',
    'application/json;',
    'APPLICATION/JSON',
    '\xff',
  ],
  ...[
    'application/problem+json',
    'application/jsonx',
    'application/json; charset="utf-8"; a=b',
    'x'.repeat(5_000),
  ],
);

const json: readonly Header[] = [['content-type', 'application/json']];

/** A valid body of the operation; null when it has none. */
export function rightBodyOf({ body }: Operation, { right }: Generators): Arbitrary<Body | null> {
  if (body === null) return fc.constant(null);
  return right(body, '').map((value) => ({ bytes: bytesOf(value), headers: json }));
}

/** Every kind of body, and none. */
export function bodyOf(operation: Operation, { right, almostRight }: Generators): Arbitrary<Body | null> {
  const types = fc.oneof(
    { weight: 24, arbitrary: fc.constant(json) },
    { weight: 1, arbitrary: fc.constant<readonly Header[]>([]) },
    { weight: 1, arbitrary: otherTypes.map((type): readonly Header[] => [['content-type', type]]) },
  );
  const asBody = (bytes: Arbitrary<Buffer>) => fc.record({ bytes, headers: types });
  if (operation.body === null) {
    return fc.oneof(
      { weight: 10, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: asBody(anyBody.map((text) => Buffer.from(text))) },
    );
  }
  const rightText = right(operation.body, '').map(writeJson);
  return fc.oneof(
    { weight: 6, arbitrary: asBody(rightText.map((text) => Buffer.from(text))) },
    { weight: 10, arbitrary: asBody(almostRight(operation.body).map(bytesOf)) },
    { weight: 2, arbitrary: asBody(anyBody.map((text) => Buffer.from(text))) },
    { weight: 2, arbitrary: asBody(fc.tuple(rightText, damage).map(([text, spoil]) => spoil(text))) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

function bytesOf(value: Json): Buffer {
  return Buffer.from(writeJson(value));
}
