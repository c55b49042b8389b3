/** Headers of requests to an operation: its own, and those that clients and proxies add. */
import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from './document.ts';
import type { Generators } from './from-schema.ts';
import { plainText } from './json-text.ts';
import { headerText, headerValue } from './wild.ts';

export type Header = readonly [name: string, value: string];

/** The headers that the operation's document names; the credentials are none of them. */
export function headersOf(operation: Operation, { right }: Generators): Arbitrary<Header[]> {
  const named = operation.parameters.filter((parameter) => parameter.in === 'header');
  const each = named.map(({ name, schema }) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant<Header[]>([]) },
      {
        weight: 3,
        arbitrary: right(schema, name).map((value): Header[] => [[name, headerValue(plainText(value))]]),
      },
      { weight: 1, arbitrary: headerText.map((value): Header[] => [[name, value]]) },
      {
        weight: 1,
        arbitrary: fc.tuple(headerText, headerText).map((all): Header[] => all.map((value) => [name, value])),
      },
    ),
  );
  return fc.tuple(...each).map((all) => all.flat());
}

/** Mostly none; else a header that the operation does not ask for. */
export const oddHeaders: Arbitrary<Header[]> = fc.oneof(
  { weight: 16, arbitrary: fc.constant<Header[]>([]) },
  {
    weight: 2,
    arbitrary: fc.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/).map((id): Header[] => [['x-request-id', id]]),
  },
  { weight: 1, arbitrary: headerText.map((value): Header[] => [['x-request-id', value]]) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Header[]>(
      ...([
        [['accept', 'text/csv;q=0, */*;q=-1, \xff']],
        [['accept-encoding', 'gzip, br, identity;q=0']],
        [['accept-language', 'xx-'.repeat(100)]],
        [['expect', '100-continue']],
        [['transfer-encoding', 'chunked']],
        [['content-encoding', 'gzip']],
        [
          ['origin', 'null'],
          ['cookie', 'a=b; __proto__=c'],
        ],
        [
          ['forwarded', 'for="[::1]";proto=https'],
          ['x-forwarded-host', 'evil.example'],
        ],
        [['x-http-method-override', 'DELETE']],
        [
          ['range', 'bytes=0-0'],
          ['if-none-match', '*'],
        ],
        [['x-padding', 'x'.repeat(9_000)]],
        [['x-padding', 'x'.repeat(40_000)]],
        Array.from({ length: 90 }, (_, count) => [`x-${count}`, 'y']),
        [
          ['upgrade', 'websocket'],
          ['sec-websocket-key', 'x'],
        ],
      ] satisfies Header[][]),
    ),
  },
);
