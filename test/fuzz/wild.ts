/** Values that no client should send: texts, JSON, headers. */
import fc, { type Arbitrary } from 'fast-check';
import { anyCharacter } from '../fixtures/any-character.ts';
import { type Json, Members, Raw, writeJson } from './json-text.ts';

/** With lone surrogates, and without anything left out. */
const anyText = fc.string({ unit: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)) });

const words = (text: string) => text.split(' ');

const letters = [
  ...[
    '',
    ' ',
    '\t\n\r',
    '\u00a0\u2003\u0085',
    '\0',
    'a\0b',
    '\ud800',
    'x\udc00y',
    '\ufeff',
    '\uffff',
    '\x1b[31m',
  ],
  ...['👩‍👩‍👧‍👦🏳️‍🌈', 'אבג \u202eabc\u202c', 'ﷺ'.repeat(50), 'ﬃ', 'İıſK', '\u1e9e', '１２３', '가각힣'],
  ...['e\u0301', `e${'\u0301'.repeat(29)}`, `Z${'\u0315\u0300'.repeat(2_000)}`, '\u0301'],
];
const code = [
  ...words(
    'null undefined true NaN Infinity -Infinity 1e400 0x10 [] {} __proto__ ../../etc/passwd %00 %s%n \\ "',
  ),
  ...["'; DROP TABLE booking; --", '{{ 7 | times: 7 }}', '{% for i in (1..9999999) %}x{% endfor %}'],
  ...['<script>alert(1)</script>', '\r\nSet-Cookie: a=b', '[object Object]'],
];
const dates = words(
  '2026-01-01 2026-02-30T00:00:00Z 2026-06-30T23:59:60Z 2026-01-01T24:00:00Z 2026-13-01T00:00Z 2026-01-01t00:00:00z ' +
    '2026-01-01T00:00:00 +275760-09-13T00:00:00Z -000001-01-01T00:00:00Z 0000-00-00T00:00:00Z ' +
    '1900-01-01T00:00:00+23:59 9999-12-31T23:59:59.999999999-23:59',
);
const addresses = [
  ...words(`@ a@b a@b@c.example ü@ü.example ${'a'.repeat(64)}@${'b'.repeat(190)}.example "a"@c.example`),
  ...words(`+ 000 112 +61 +999999999999999 +61${'4'.repeat(60)} tel:0491570006 0491570006;ext=9`),
  ...words('00000000-0000-0000-0000-000000000000 FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'),
];

export const wildText: Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...letters, ...code, ...dates, ...addresses) },
  { weight: 1, arbitrary: anyText },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 300 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('a', 'é', '漢', '👍', '\u0301', ' ', '\t', '<', '\0'),
        fc.constantFrom(33, 256, 2_001, 10_001, 70_000),
      )
      .map(([unit, count]) => unit.repeat(count)),
  },
);

const wildNumber: Arbitrary<Json> = fc.oneof(
  fc.constantFrom(
    ...[0, 1, -1, 0.1, 1.005, 2 ** 31, 2 ** 53, 2 ** 64, 1e21, Number.MAX_VALUE, Number.MIN_VALUE],
    ...words('-0 1e400 -1e400 1e-400 1E+2147483648 1.0 1.10 123456789012345678901234567890.5').map(
      (text) => new Raw(text),
    ),
  ),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const wildKey = fc.oneof(
  fc.constantFrom('', ...words('__proto__ constructor prototype toString hasOwnProperty length 0 $ref then')),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
);

const nested = fc
  .tuple(
    fc.constantFrom(['[', ']'], ['{"a":', '}'], ['[{"a":[', ']}]']),
    fc.constantFrom(30, 64, 65, 1_000, 20_000),
  )
  .map(([[open = '', close = ''], depth]) => new Raw(`${open.repeat(depth)}1${close.repeat(depth)}`));

const many = fc
  .constantFrom<Json>(null, 'x', 1, '', new Members([]))
  .map((item) => Array.from({ length: 101 }, () => item));

const notJson = words(`NaN Infinity undefined 'a' 01 +1 .5 1. "\\x" //`);

/** Any JSON, and some text that only looks like it. */
export const wildJson: Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 2, arbitrary: fc.constantFrom<Json>(null, true, false) },
    { weight: 4, arbitrary: wildNumber },
    { weight: 8, arbitrary: wildText },
    { weight: 1, arbitrary: nested },
    { weight: 1, arbitrary: fc.constantFrom(...notJson).map((text) => new Raw(text)) },
    { weight: 2, arbitrary: fc.array(tie('json'), { maxLength: 4 }) },
    { weight: 1, arbitrary: many },
    {
      weight: 3,
      arbitrary: fc
        .array(fc.tuple(wildKey, tie('json')), { maxLength: 4 })
        .map((entries) => new Members(entries)),
    },
  ),
})).json;

export const wildMembers = fc.array(fc.tuple(wildKey, wildJson), { minLength: 1, maxLength: 3 });

export const anyBody = wildJson.map(writeJson);

/** As the value of a header: the bytes that one can hold at all. */
export function headerValue(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[\0-\x08\x0a-\x1f\x7f]/g, '?')
    .slice(0, 9_000);
}

export const headerText: Arbitrary<string> = wildText.map(headerValue);
