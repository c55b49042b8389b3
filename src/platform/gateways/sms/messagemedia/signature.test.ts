/** Which of MessageMedia's requests are genuine: signed as its documentation says (Enterprise webhooks), or with the token. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../../test/fixtures/any-character.ts';
import {
  publicKey,
  type SignedWith,
  signatureHeaders,
} from '../../../../../test/fixtures/messagemedia-signature.ts';
import { type CallbackOptions, messageMediaCallbacks } from './callbacks.ts';

const token = 'a-token-of-16-or-more';
const callbacks = (options: Partial<CallbackOptions> = {}) =>
  messageMediaCallbacks({
    publicKeys: [publicKey],
    callbackToken: null,
    publicUrl: 'https://pitlane.example',
    ...options,
  });
const path = '/gateways/messagemedia/callbacks';
const at = (body: unknown, url = path, headers = {}) => ({
  url,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const another = generateKeyPairSync('rsa', { modulusLength: 1024 });

const reply = {
  reply_id: 'a175e797-2b54-468b-9850-41a3eab32f74',
  source_number: '+61491570157',
  content: 'My first reply! ✓',
};
const body = JSON.stringify({ status: 'delivered', message_id: '389dc1a8', metadata: { reference: 'R-1' } });
const signed = (options?: SignedWith, url = path) => at(body, url, signatureHeaders(url, body, options));

test('a signed request is genuine, with each digest and with either of two keys', () => {
  for (const digest of ['SHA224', 'SHA256', 'SHA512']) {
    assert.equal(callbacks().isGenuine(signed({ digest })), true, digest);
  }
  const both = callbacks({ publicKeys: [another.publicKey, publicKey] });
  for (const key of [undefined, another.privateKey]) {
    assert.equal(both.isGenuine(signed(key && { key })), true);
  }
  assert.equal(callbacks().isGenuine(signed({}, '/gateways/messagemedia/inbound?a=b%20c')), true);
});

test('the signature covers the path that MessageMedia called, also when a proxy cuts a part off', () => {
  const { headers } = signed({}, `/pitlane${path}`);
  const below = callbacks({ publicUrl: 'https://example.com/pitlane' });
  assert.equal(below.isGenuine(at(body, path, headers)), true);
  assert.equal(callbacks().isGenuine(at(body, path, headers)), false);
});

test('nothing else is genuine', () => {
  const right = signatureHeaders(path, body);
  for (const [name, request] of Object.entries({
    unsigned: at(body),
    'signed with another key': signed({ key: another.privateKey }),
    'of another body': at(body.replace('delivered', 'failed'), path, right),
    'of a body with a space more': at(`${body} `, path, right),
    'of another path': at(body, '/gateways/messagemedia/inbound', right),
    'of another query': at(body, `${path}?a=b`, right),
    'of another date': at(body, path, { ...right, date: 'Wed, 18 Jul 2018 06:33:53 GMT' }),
    'of a date in another form': signed({ date: '2018-07-18T06:33:52Z' }),
    'of a date in an older form': signed({ date: 'Wed, 18 Jul 18 06:33:52 GMT' }),
    'of a day that is no Wednesday': signed({ date: 'Mon, 18 Jul 2018 06:33:52 GMT' }),
    'of an impossible day': signed({ date: 'Wed, 31 Jun 2018 06:33:52 GMT' }),
    'of a date with more behind it': signed({ date: 'Wed, 18 Jul 2018 06:33:52 GMT ' }),
    'with an empty date': signed({ date: '' }),
    'a form': at('reply_id=r&content=a', path, signatureHeaders(path, 'reply_id=r&content=a')),
    'JSON that is no object': at('"x"', path, signatureHeaders(path, '"x"')),
    'without a body': at('', path, signatureHeaders(path, '')),
    'without a date': at(body, path, { ...right, date: undefined }),
    'of another digest': at(body, path, { ...right, 'x-messagemedia-digest-type': 'SHA512' }),
    'of a weak digest': at(body, path, { ...signatureHeaders(path, body, { digest: 'SHA1' }) }),
    'of an unknown digest': at(body, path, { ...right, 'x-messagemedia-digest-type': '__proto__' }),
    'without a digest': at(body, path, { ...right, 'x-messagemedia-digest-type': undefined }),
    'an empty signature': at(body, path, { ...right, 'x-messagemedia-signature': '' }),
    'no signature': at(body, path, { ...right, 'x-messagemedia-signature': '%%%' }),
    'two signatures': at(body, path, { ...right, 'x-messagemedia-signature': ['a', 'b'] }),
    'the token alone': at(body, `${path}?token=${token}`),
  })) {
    assert.equal(callbacks({ callbackToken: null }).isGenuine(request), false, name);
  }
});

test('moving the boundary between Date and body, or path and Date, breaks the signature', () => {
  const date = 'Wed, 18 Jul 2018 06:33:52 GMT';
  const asForm = 'x&reply_id=r&source_number=%2B61491570157&content=STOP&y=';
  const written = fc.oneof(
    fc.constant(asForm),
    fc.constant(`${date}${asForm}`),
    fc.constant(`\n${JSON.stringify([{ ...reply, content: 'STOP' }])}\n`),
    fc.constant(`HTTP/1.1${date}{}`),
    fc.string({ unit: anyCharacter }),
  );
  const bodies = fc.oneof(
    written.map((content) => JSON.stringify({ ...reply, content })),
    written.map((content) => JSON.stringify([content, { ...reply, content }, content])),
    // Settings that an account may have; none of them counts here.
    written.map((content) => new URLSearchParams({ reply_id: 'r', source_number: '1', content }).toString()),
    written.map((content) => content + JSON.stringify(reply)),
  );
  const shifts = fc.integer({ min: -60, max: 300 }).filter((by) => by !== 0);
  let tried = 0;
  fc.assert(
    fc.property(bodies, shifts, fc.boolean(), (text, by, ofPath) => {
      const right = signatureHeaders(path, text, { date });
      // The signed bytes, split at other places.
      const all = Buffer.from(`${path} HTTP/1.1${date}${text}`).toString('latin1');
      const start = path.length + 9;
      const [from, to] = ofPath ? [start + by, start + by + 29] : [start, start + 29 + by];
      if (from < 9 || to < from) return;
      const moved = { ...right, date: all.slice(from, to) };
      const rest = Buffer.from(all.slice(to), 'latin1');
      const request = { url: all.slice(0, from - 9), headers: moved, body: rest };
      tried++;
      assert.equal(callbacks().isGenuine(request), false);
    }),
    { numRuns: 3_000 },
  );
  assert.ok(tried > 1_000);
});

test('the text of a customer cannot pass for a signed request', () => {
  const content = 'x&reply_id=r&source_number=%2B61491570157&content=STOP&y=';
  const text = JSON.stringify({ ...reply, content });
  const right = signatureHeaders(path, text);
  const cut = text.indexOf(content);
  const shifted = { ...right, date: `${right['date']}${text.slice(0, cut)}` };
  assert.equal(callbacks().isGenuine(at(text, path, right)), true);
  assert.equal(callbacks().isGenuine(at(text.slice(cut), path, shifted)), false);
});

test('without keys the token counts, with both a request needs both, with neither nothing is genuine', () => {
  const withToken = `${path}?token=${token}`;
  const byToken = callbacks({ publicKeys: [], callbackToken: token });
  assert.equal(byToken.isGenuine(at(body, withToken)), true);
  for (const url of [path, `${path}?token=`, `${withToken}x`, `${path}?tokens=${token}`]) {
    assert.equal(byToken.isGenuine(at(body, url)), false, url);
  }
  const byBoth = callbacks({ callbackToken: token });
  assert.equal(byBoth.isGenuine(signed({}, withToken)), true);
  assert.equal(byBoth.isGenuine(signed()), false);
  assert.equal(byBoth.isGenuine(at(body, withToken)), false);
  assert.equal(callbacks({ publicKeys: [] }).isGenuine(signed()), false);
});
