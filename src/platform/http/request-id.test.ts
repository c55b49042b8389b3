import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/fixtures/any-character.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { signedInPartner } from '../../../test/harness/world.ts';
import { requestIdOf } from './request-id.ts';

const app = await startTestApp();
const made = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test('a sane X-Request-Id is echoed, in the header and in the error body (specification: Requests and responses 2)', async () => {
  const partner = await signedInPartner(app);
  for (const id of ['a', 'req-1', 'A.b_c:d-9', 'x'.repeat(128), '4bf92f3577b34da6a3ce929d0e0e4736']) {
    const headers = { 'x-request-id': id };
    const good = await partner.call('GET', '/workshops', undefined, { headers });
    assert.equal(good.headers.get('x-request-id'), id);
    const bad = await partner.call('GET', '/nowhere', undefined, { headers });
    assert.equal(bad.headers.get('x-request-id'), id);
    assert.equal(bad.body.requestId, id);
  }
});

test('without an X-Request-Id, or with one of another form, a new one is made (specification: Requests and responses 2)', async () => {
  for (const id of [undefined, '', 'x'.repeat(129), 'with space', 'a,b', '<script>', '"', 'ä', "'; DROP"]) {
    const answer = await app.request('GET', '/nowhere', {
      headers: id === undefined ? {} : { 'x-request-id': id },
    });
    assert.match(answer.headers.get('x-request-id') ?? '', made);
    assert.equal(answer.body.requestId, answer.headers.get('x-request-id'));
  }
});

test('whatever is sent, the id is short and plain', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.array(fc.string()), fc.string({ unit: anyCharacter })), (sent) => {
      const headers = { 'x-request-id': sent } as Record<string, string>;
      assert.match(requestIdOf({ headers }), /^[A-Za-z0-9._:-]{1,128}$/);
    }),
  );
});

test('every response forbids caching and type guessing', async () => {
  for (const path of ['/nowhere', '/workshops', '/health/live', '/bookings/%E0%A4%A']) {
    const { headers } = await app.request('GET', path);
    assert.equal(headers.get('cache-control'), 'no-store', path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
  }
});
