/** Values that nobody should send: texts, JSON and bytes. */
import fc, { type Arbitrary } from 'fast-check';
import { type Json, Members, Raw, writeJson } from './json-text.ts';

/** With lone surrogates, and without anything left out. */
const anyText = fc.string({ unit: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)) });

export const wildText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['', ' ', '\t\n\r', '\u00a0\u2003\u0085', '\0', 'a\0b', '\ud800', 'x\udc00y', '\ufeff', '\uffff'],
    ...[
      '👩‍👩‍👧‍👦🏳️‍🌈',
      'אבג \u202eabc\u202c',
      '\u0000\u0001\u001b[31m',
      'ﷺ'.repeat(50),
      'ﬃ',
      'İıſK',
      '\u1e9e',
    ],
    ...['e\u0301', `e${'\u0301'.repeat(29)}`, `Z${'\u0315\u0300'.repeat(2_000)}`, '\u0301', '가각힣'],
    ...[
      'NaN',
      'Infinity',
      '-Infinity',
      '1e400',
      'null',
      'undefined',
      'true',
      '0x10',
      '１２３',
      '[object Object]',
    ],
    ...["'; DROP TABLE booking; --", '{{ 7 | times: 7 }}', '{% for i in (1..9999999) %}x{% endfor %}'],
    ...['<script>alert(1)</script>', '../../etc/passwd', '%00', '%s%n', '\\', '"', '\r\nSet-Cookie: a=b'],
    ...[
      '2026-02-30T00:00:00Z',
      '2026-06-30T23:59:60Z',
      '2026-01-01',
      '2026-01-01T24:00:00Z',
      '2026-13-01T00:00Z',
    ],
    ...[
      '+275760-09-13T00:00:00Z',
      '-000001-01-01T00:00:00Z',
      '0000-00-00T00:00:00Z',
      '1900-01-01T00:00:00+23:59',
    ],
    ...[
      '9999-12-31T23:59:59.999999999-23:59',
      '2026-01-01t00:00:00z',
      '2026-01-01T00:00:00',
      'Thu, 1 Jan 2026',
    ],
    ...[
      'a@b',
      '@',
      'a@b@c.example',
      `${'a'.repeat(64)}@${'b'.repeat(190)}.example`,
      '"a b"@c.example',
      'ü@ü.example',
    ],
    ...[
      '+',
      '000',
      '112',
      '+61',
      '+999999999999999',
      `+61${'4'.repeat(60)}`,
      '0491 570 006;ext=9',
      'tel:0491570006',
    ],
    ...['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', '{}', '__proto__'],
  ),
  anyText,
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .tuple(
      fc.constantFrom('a', 'é', '漢', '👍', '\u0301', ' ', '\t', '<', '\0'),
      fc.constantFrom(33, 256, 2_001, 10_001, 70_000),
    )
    .map(([unit, count]) => unit.repeat(count)),
);

const wildNumber: Arbitrary<Json> = fc.oneof(
  fc.constantFrom(
    ...[0, 1, -1, 0.1, 1.005, 2 ** 31, 2 ** 53, 2 ** 64, 1e21, Number.MAX_VALUE, Number.MIN_VALUE],
    ...[
      '-0',
      '1e400',
      '-1e400',
      '1e-400',
      '1E+2147483648',
      '1.0',
      '1.10',
      '123456789012345678901234567890.5',
    ].map((text) => new Raw(text)),
  ),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const wildKey = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'length',
    '',
    '0',
    '$ref',
    'then',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
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

/** Any JSON, and some text that only looks like it. */
export const wildJson: Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 2, arbitrary: fc.constantFrom<Json>(null, true, false) },
    { weight: 4, arbitrary: wildNumber },
    { weight: 8, arbitrary: wildText },
    { weight: 1, arbitrary: nested },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('NaN', 'Infinity', "'a'", 'undefined', '01', '+1', '.5', '1.', '"\\x"', '\n')
        .map((text) => new Raw(text)),
    },
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

/** Does to the bytes of a body what networks and careless programs do. */
export const damage: Arbitrary<(text: string) => Buffer> = fc
  .tuple(
    fc.constantFrom('cut', 'insert', 'prefix', 'suffix', 'utf16', 'latin1', 'empty', 'twice', 'huge'),
    fc.nat(),
    fc.constantFrom(
      '\0',
      '"',
      '{',
      ',',
      '\\',
      '\ud800',
      '\xff\xfe',
      '\ufeff',
      ' ',
      '\n',
      ']',
      '// a',
      '\x1a',
    ),
  )
  .map(([kind, place, piece]) =>
    Object.assign(
      (text: string): Buffer => {
        const at = place % (text.length + 1);
        if (kind === 'cut') return Buffer.from(text.slice(0, at));
        if (kind === 'insert') {
          return Buffer.concat([
            Buffer.from(text.slice(0, at)),
            Buffer.from(piece, 'latin1'),
            Buffer.from(text.slice(at)),
          ]);
        }
        if (kind === 'prefix') return Buffer.from(piece + text);
        if (kind === 'suffix') return Buffer.from(text + piece);
        if (kind === 'utf16') return Buffer.from(text, 'utf16le');
        if (kind === 'latin1') return Buffer.from(`${text.slice(0, at)}é${text.slice(at)}`, 'latin1');
        if (kind === 'twice') return Buffer.from(text + text);
        if (kind === 'huge') return Buffer.from(`${' '.repeat(256 * 1024)}${text}`);
        return Buffer.alloc(0);
      },
      { [fc.toStringMethod]: () => `${kind} ${place} ${JSON.stringify(piece)}` },
    ),
  );

export const anyBody = wildJson.map(writeJson);

/** As the value of a header: the bytes that one can hold at all. */
export function headerValue(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[\0-\x08\x0a-\x1f\x7f]/g, '?')
    .slice(0, 9_000);
}

export const headerText: Arbitrary<string> = wildText.map(headerValue);
