import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { jsonWithoutSecrets, pathWithoutSecrets, withoutSecrets } from './secrets.ts';

const secrets = [
  'ptl_at_0m4Qv8Zs1kXc7bNf2RjT5yLw9PhG3dEuA6oViKqMxWe',
  'ptl_key_demo_only_for_trying_out',
  'ptl_secret_Yt3Kd9Qm2Wz6Rf1Lx8Vb4Nc7Hj5Pg0SaUoEiMkJqTwB',
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
];

describe('withoutSecrets', () => {
  for (const [text, expected] of [
    [`Bearer ${secrets[0]}, please`, 'Bearer …, please'],
    ['https://user:pass@hooks.example/in?key=abc#x', 'https://hooks.example/in?…#x'],
    [
      'see https://hooks.example/in and Sam <sam@mail.example>',
      'see https://hooks.example/in and Sam <sam@mail.example>',
    ],
    ['A plain note: the token light is on', 'A plain note: the token light is on'],
  ] as const) {
    test(text, () => assert.equal(withoutSecrets(text), expected));
  }
});

const text = fc.tuple(
  fc.string(),
  fc.constantFrom(...secrets),
  fc.constantFrom('', ' ', '"', '\n', '.', ','),
);
const leaf = text.map(([before, secret, after]) => `${before} ${secret}${after}`);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.integer(),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.string(), leaf), tie('tree'), { maxKeys: 3 }),
  ),
}));

describe('jsonWithoutSecrets', () => {
  test('hides what is a secret by its name, of any type and at any depth', () => {
    const value = {
      appKey: 'x',
      secret: 1,
      refreshToken: null,
      nested: [{ Password: ['a', { b: 'c' }] }, { customerName: 'Sam', notes: 'ok' }],
    };
    assert.deepEqual(JSON.parse(jsonWithoutSecrets(value)), {
      ...{ appKey: '…', secret: '…', refreshToken: null },
      nested: [{ Password: '…' }, { customerName: 'Sam', notes: 'ok' }],
    });
  });

  test('with valuesToo only names, nulls and lengths of lists are left', () => {
    const value = { customerName: 'Sam', year: 2019, skip: true, notes: null, jobNotes: ['a', 'b'] };
    assert.equal(
      jsonWithoutSecrets(value, { valuesToo: true }),
      '{"customerName":"…","year":"…","skip":"…","notes":null,"jobNotes":["…","…"]}',
    );
  });

  test('what this service hands out is nowhere, whatever surrounds it', () => {
    fc.assert(
      fc.property(tree, (value) => {
        const shown = jsonWithoutSecrets(value);
        JSON.parse(shown);
        for (const secret of secrets) assert.ok(!shown.includes(secret), shown);
      }),
      { numRuns: 60 },
    );
  });

  test('of the characters that are wanted none is missing or other than in the whole text', () => {
    fc.assert(
      fc.property(tree, fc.nat({ max: 200 }), fc.boolean(), (value, wanted, valuesToo) => {
        const whole = jsonWithoutSecrets(value, { valuesToo });
        const part = jsonWithoutSecrets(value, { valuesToo, wanted });
        assert.equal(part.slice(0, wanted), whole.slice(0, wanted));
        assert.equal(part.length > wanted, whole.length > wanted);
      }),
    );
  });

  test('texts that together are as long as what is wanted are all shown', () => {
    const texts = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)];
    const whole = JSON.stringify(texts);
    assert.equal(jsonWithoutSecrets(texts, { wanted: whole.length - 1 }), whole);
  });

  test('what comes after the characters that are wanted is not worked on', () => {
    const long = Array.from({ length: 1_000 }, (_, n) => ({ time: `slot ${n}`, remaining: n }));
    const part = jsonWithoutSecrets(long, { wanted: 100 });
    assert.ok(part.endsWith(',null]'), part.slice(-50));
  });

  test('a body may be any JSON', () => {
    for (const value of [null, 1, 'x', [], true])
      assert.equal(jsonWithoutSecrets(value), JSON.stringify(value));
    assert.equal(jsonWithoutSecrets(undefined), 'null');
  });
});

describe('pathWithoutSecrets', () => {
  for (const [path, expected] of [
    ['/bookings/1?status=pending&limit=5', '/bookings/1?status=pending&limit=5'],
    [`/x/${secrets[0]}?a=${secrets[3]}`, '/x/…?a=…'],
    ['/auth/token?secret=abc&a=b=c&token', '/auth/token?secret=…&a=b=c&token'],
    ['/x?', '/x?'],
    [`/x?q=%22${secrets[1]}%22&b=%7B%22a%22:%22${secrets[3]}`, '/x?q="…"&b={"a":"…'],
    ['/x?%73ecret=abc&app%5Fkey=abc&to%6ben=a&a=b%20c', '/x?%73ecret=…&app%5Fkey=…&to%6ben=…&a=b%20c'],
    ['/%70tl_key_abc?whsec%5Fab%2Bcd%2Fef&a=whsec_ab%252Bcd', '/…?…&a=…'],
    ['/x?url=https%3A%2F%2Fuser:pass@host.example%2Fin%3Fkey%3Dabc', '/x?url=https://host.example/in?…'],
    ['/x?a=%zz%&b=%C3%A9%ff', '/x?a=%zz%&b=%C3%A9%ff'],
  ] as const) {
    test(path, () => assert.equal(pathWithoutSecrets(path), expected));
  }
});
