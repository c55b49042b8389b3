import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../test/fixtures/any-character.ts';
import { kannelCallbacks } from './kannel-callbacks.ts';

const token = 'a-token-of-16-or-more';
const callbacks = kannelCallbacks(token);
const at = (query: string) => ({ url: `/gateways/kannel/x?${query}`, headers: {}, body: Buffer.alloc(0) });

test('only the token makes a request genuine', () => {
  assert.equal(callbacks.isGenuine(at(`a=b&token=${token}`)), true);
  for (const query of [
    '',
    'token=',
    `token=${token}x`,
    `token=${token.slice(1)}`,
    `tokens=${token}`,
    token,
  ]) {
    assert.equal(callbacks.isGenuine(at(query)), false, query);
  }
});

const smpp = (state: string) =>
  encodeURIComponent(
    `id:42 sub:001 dlvrd:000 submit date:2601010000 done date:2601010001 stat:${state} err:001 text:Your car`,
  );
const told = (state: string) => `The carrier could not deliver it (${state}, error 001).`;

for (const [query, expected] of [
  ['type=1&detail=', { state: 'delivered', detail: null }],
  ['type=2&detail=', { state: 'undelivered', detail: null }],
  [`type=2&detail=${smpp('UNDELIV')}`, { state: 'undelivered', detail: told('UNDELIV') }],
  [`type=2&detail=${smpp('UNKNOWN')}`, { state: 'accepted', detail: null }],
  ['type=8&detail=ACK%2F', { state: 'accepted', detail: null }],
  [`type=2&detail=${smpp('EXPIRED')}`, { state: 'expired', detail: told('EXPIRED') }],
  ['type=2&detail=no+receipt%21', { state: 'undelivered', detail: 'no receipt!' }],
  ['type=16&detail=NACK%2F', { state: 'undelivered', detail: 'The carrier refused it.' }],
  [
    'type=16&detail=NACK%2F11%2FInvalid+number',
    { state: 'undelivered', detail: 'The carrier refused it (11/Invalid number).' },
  ],
] as const) {
  test(`a report: ${query.slice(0, 30)}`, () => {
    assert.deepEqual(callbacks.reports(at(`reference=R-1&${query}`)), [{ reference: 'R-1', ...expected }]);
  });
}

test('a long text: the first part arrived, and the carrier took all parts, as two of two; a failure is of the whole', () => {
  const of = (query: string) => callbacks.reports(at(`reference=R&long=1&${query}`));
  const [first, taken] = [
    { id: 'first', of: 2 },
    { id: 'taken', of: 2 },
  ];
  assert.deepEqual(of('type=1'), [{ reference: 'R', state: 'delivered', segment: first, detail: null }]);
  assert.deepEqual(of('type=8&detail=ACK%2F'), [
    { reference: 'R', state: 'delivered', segment: taken, detail: null },
  ]);
  for (const type of ['2', '16']) {
    assert.deepEqual(of(`type=${type}&detail=NACK%2F`), [
      { reference: 'R', state: 'undelivered', detail: 'The carrier refused it.' },
    ]);
  }
});

test('Kannel’s report of its own refusal is ignored: another gateway may have the SMS by now', () => {
  for (const words of ['no+SMSC', 'validity expired', 'sender not in white-list', 'receiver in black-list']) {
    assert.deepEqual(callbacks.reports(at(`reference=R&type=16&detail=NACK%2F${words}`)), [], words);
  }
});

test('a report that Kannel queued the SMS again is ignored; a report without a reference or a type is rejected', () => {
  assert.deepEqual(callbacks.reports(at('reference=R&type=4')), []);
  for (const query of ['type=1', 'reference=R', 'reference=R&type=', 'reference=R&type=%25d']) {
    assert.equal(callbacks.reports(at(query)), null, query);
  }
});

const escaped = (bytes: Uint8Array) =>
  [...bytes].map((byte) => (byte === 0x20 ? '+' : `%${byte.toString(16).padStart(2, '0')}`)).join('');

test('an answer is decoded by the character set that Kannel names, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.boolean(), (text, isWide) => {
      const body = text.replace(/^\uFEFF/, '');
      const bytes = isWide ? Buffer.from(body, 'utf16le').swap16() : Buffer.from(body);
      const query = `id=I&from=%2B61491570006&to=61400000000&charset=${isWide ? 'UTF-16BE' : 'UTF-8'}&text=${escaped(bytes)}`;
      assert.deepEqual(callbacks.inbound(at(query)), [
        { gatewayId: 'I', from: '+61491570006', to: '61400000000', body },
      ]);
    }),
  );
});

test('an answer without its id, sender, receiver or text is rejected; an empty text is read', () => {
  const whole = ['id=I', 'from=1', 'to=2', 'text='];
  assert.equal(callbacks.inbound(at(whole.join('&')))?.[0]?.body, '');
  for (const absent of whole) {
    assert.equal(callbacks.inbound(at(whole.filter((part) => part !== absent).join('&'))), null, absent);
  }
});

test('no input makes the reader throw', () => {
  fc.assert(
    fc.property(fc.string(), (query) => {
      callbacks.isGenuine(at(query));
      callbacks.reports(at(query));
      callbacks.inbound(at(query));
    }),
  );
});
