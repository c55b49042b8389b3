/** The response names the ignored fields, in `Pitlane-Ignored-Fields` (specification: Requests and responses 4). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newId } from '#base/values/id.ts';
import { anyCharacter } from '../../../test/fixtures/any-character.ts';
import { type Answer, startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { ignoredFields } from './ignored-fields.ts';
import { unknownFields } from './unknown-fields.ts';

const app = await startTestApp();
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);

const headerOf = (answer: Answer) => answer.headers.get('pitlane-ignored-fields');
const namesOf = (answer: Answer) => headerOf(answer)?.split(',').map(decodeURIComponent);

test('unknown fields, and fields that the operation does not change, by their paths; nothing where all is known', async () => {
  const made = await partner.call(
    'POST',
    '/bookings',
    bookingBody(workshopId, { services: [{ title: 'Oil' }] }),
  );
  assert.equal(made.status, 201);
  assert.equal(headerOf(made), null);
  const odd = {
    customerNmae: 'Sam',
    services: [{ title: 'Oil' }, { title: 'Brakes', colour: 'red', x: { y: 1 } }],
  };
  const more = await partner.call('POST', '/bookings', bookingBody(workshopId, odd));
  assert.equal(more.status, 201);
  assert.deepEqual(namesOf(more), ['customerNmae', 'services[1].colour', 'services[1].x']);
  const { id } = made.body.booking;
  const put = await partner.call('PUT', `/bookings/${id}`, {
    notes: 'x',
    status: 'completed',
    workshopId,
    carVin: 'V',
  });
  assert.equal(put.status, 200);
  assert.deepEqual(namesOf(put), ['status', 'workshopId', 'carVin']);
  const signIn = { appKey: partner.appKey, secret: partner.secret, scope: 'all' };
  assert.deepEqual(namesOf(await partner.call('POST', '/auth/token', signIn)), ['scope']);
});

test('a refusal names them too, and where an unknown field is refused it is not ignored', async () => {
  assert.deepEqual(namesOf(await partner.call('POST', '/bookings', { rego: 'ABC123' })), ['rego']);
  const body = { phone: '0491570006', extra: 1, channels: { sms: { message: 'x', media: 1 }, mms: {} } };
  const answer = await partner.call('POST', `/workshops/${workshopId}/messages`, body);
  assert.equal(answer.status, 400);
  assert.deepEqual(namesOf(answer), ['extra', 'channels.sms.media']);
});

test('parameters of a query that are not known are named with a question mark, of any operation', async () => {
  const list = await partner.call('GET', '/bookings?limit=1&form=2&updatedSicne=x&form=3');
  assert.deepEqual([list.status, headerOf(list)], [200, '?form,?updatedSicne']);
  const without = await partner.call('GET', `/bookings/${newId()}?a%2Cb=1`);
  assert.deepEqual([without.status, headerOf(without)], [404, '?a%2Cb']);
  const made = await partner.call('POST', '/bookings?dry=1', bookingBody(workshopId, { x: 1 }));
  assert.deepEqual([made.status, headerOf(made)], [201, 'x,?dry']);
  assert.equal(headerOf(await partner.call('GET', '/bookings?limit=1')), null);
});

test('another channel is refused, and what the channel does not know is ignored (specification: Requests and responses 11)', async () => {
  const send = (channels: object) =>
    partner.call('POST', `/workshops/${workshopId}/messages`, { phone: '0491570006', channels });
  const sent = await send({ sms: { message: 'x', foo: 1 } });
  assert.deepEqual([sent.status, namesOf(sent)], [200, ['channels.sms.foo']]);
  for (const channels of [{ email: { message: 'x' } }, { sms: { message: 'x' }, email: {} }]) {
    const refused = await send(channels);
    assert.equal(refused.status, 400);
    assert.ok(
      refused.body.errors.some(({ field }: { field: string }) => field === 'channels.email'),
      JSON.stringify(refused.body.errors),
    );
  }
});

test('names are percent-encoded, whatever characters they have', async () => {
  const names = ['é', 'a\r\nSet-Cookie: x=1', 'a,b', '漢字', '\ud800', '', ' ', '%', '\u0000', 'a.b[0]'];
  const odd = Object.fromEntries(names.map((name) => [name, 1]));
  const answer = await partner.call('POST', '/bookings', bookingBody(workshopId, odd));
  assert.equal(answer.status, 201);
  assert.deepEqual(
    namesOf(answer),
    names.map((name) => name.toWellFormed()),
  );
  assert.equal(answer.headers.get('set-cookie'), null);
});

test('at most 20 names and 1 KB', async () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, 1]));
  const answer = await partner.call('POST', '/bookings', bookingBody(workshopId, many));
  assert.equal(answer.status, 201);
  assert.deepEqual(
    namesOf(answer),
    Array.from({ length: 20 }, (_, n) => `f${n}`),
  );
  const long = { ['x'.repeat(2_000)]: 1, ['é'.repeat(400)]: 1, short: 1 };
  assert.deepEqual(namesOf(await partner.call('POST', '/bookings', bookingBody(workshopId, long))), [
    'short',
  ]);
});

test('any names: a header of visible characters that is not too long', () => {
  const schema = { properties: { known: {} } };
  const body = fc.dictionary(fc.string({ unit: anyCharacter, maxLength: 200 }), fc.jsonValue(), {
    maxKeys: 40,
  });
  fc.assert(
    fc.property(body, (fields) => {
      const header = ignoredFields(unknownFields(schema, fields, ''));
      const unknown = Object.keys(fields).filter((name) => name !== 'known');
      assert.equal(header === null, unknown.length === 0);
      if (header === null) return;
      assert.match(header, /^[!-~]*$/);
      assert.ok(header.length <= 1_024 && header.split(',').length <= 20);
    }),
  );
});
