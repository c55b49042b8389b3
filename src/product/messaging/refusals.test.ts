import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setFeature } from '#product/partners/features.ts';
import { setLink } from '#product/workshops/link.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { assertProblem } from '../../../test/fixtures/booking-api.ts';
import { messagingWorld, newPhone, text, useUpRate, written } from '../../../test/fixtures/messaging.ts';
import type { Answer } from '../../../test/harness/app.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const world = await messagingWorld();
const { app, partner, workshopId, post, send, customer, book } = world;
const { db, clock } = app.context;
const other = await signedInPartner(app, 'Another Partner');
await setLink({ db, clock }, { partnerId: other.partnerId, workshopId, active: true }, actors.operator);

/** Makes a call and checks that its refusal changes nothing, by comparing the tables before and after it. */
async function refused(call: () => Promise<Answer>): Promise<Answer> {
  const before = await written(app);
  const answer = await call();
  assert.deepEqual(await written(app), before, 'a refusal wrote something');
  return answer;
}

const phone = newPhone();
const long = 'x'.repeat(1_531);
const bodies: readonly (readonly [string, Readonly<Record<string, unknown>>, readonly string[]])[] = [
  ['no body fields at all', { channels: undefined }, ['channels', 'phone']],
  ['missing phone and customerId', {}, ['phone']],
  ['a blank phone and no customerId', { phone: '  ' }, ['phone']],
  ['null for both phone and customerId', { phone: null, customerId: null }, ['phone']],
  ['a phone that is a number', { phone: 61491570006 }, ['phone']],
  ['an invalid phone', { phone: 'call me' }, ['phone']],
  ['a phone of no known plan', { phone: '+999 1234' }, ['phone']],
  ['a phone too short for its country', { phone: '0491 57' }, ['phone']],
  ['a phone with an extension', { phone: '03 5550 1234 ext. 5' }, ['phone']],
  ['a phone with other text round it', { phone: 'Ava 0491570006' }, ['phone']],
  ['a phone longer than its limit', { phone: '1'.repeat(65) }, ['phone']],
  ['a customerId that is a number', { customerId: 7 }, ['customerId']],
  ['an empty customerId', { customerId: '' }, ['phone']],
  ['an empty phone and customerId', { phone: '', customerId: '' }, ['phone']],
  ['a bookingId that is an object', { phone, bookingId: {} }, ['bookingId']],
  ['a referenceId that is a number', { phone, referenceId: 1 }, ['referenceId']],
  ['a referenceId of two lines', { phone, referenceId: 'a\nb' }, ['referenceId']],
  ['a referenceId over 255 characters', { phone, referenceId: 'x'.repeat(256) }, ['referenceId']],
  ['no channels', { phone, channels: null }, ['channels']],
  ['channels without sms', { phone, channels: {} }, ['channels.sms']],
  ['sms that is null', { phone, channels: { sms: null } }, ['channels.sms']],
  ['sms that is a text', { phone, channels: { sms: 'Hi' } }, ['channels.sms']],
  ['neither text nor template', { phone, channels: { sms: {} } }, ['channels.sms']],
  ['both null', { phone, channels: { sms: { message: null, templateId: null } } }, ['channels.sms']],
  [
    'both text and template',
    { phone, channels: { sms: { message: 'Hi', templateId: newId() } } },
    ['channels.sms'],
  ],
  ['a blank text', { phone, ...text(' \n\t ') }, ['channels.sms.message']],
  ['a text that is a number', { phone, channels: { sms: { message: 5 } } }, ['channels.sms.message']],
  ['a text with NUL', { phone, ...text('a\0b') }, ['channels.sms.message']],
  ['a text of more than 10 segments', { phone, ...text(long) }, ['channels.sms.message']],
  ['an empty templateId', { phone, channels: { sms: { templateId: '' } } }, ['channels.sms']],
  ['an empty text', { phone, ...text('') }, ['channels.sms.message']],
  ['a text of zero-width characters', { phone, ...text(' \u200b\u2060') }, ['channels.sms.message']],
  [
    'an empty text beside a template',
    { phone, channels: { sms: { message: '', templateId: newId() } } },
    ['channels.sms', 'channels.sms.message'],
  ],
  ['another channel', { phone, channels: { sms: { message: 'Hi' }, email: {} } }, ['channels.email']],
  [
    'another channel only',
    { phone, channels: { whatsapp: { message: 'Hi' } } },
    ['channels.sms', 'channels.whatsapp'],
  ],
  [
    'another channel that is null',
    { phone, channels: { sms: { message: 'Hi' }, email: null } },
    ['channels.email'],
  ],
  [
    'two other channels',
    { phone, channels: { sms: { message: 'Hi' }, push: 1, email: 2 } },
    ['channels.email', 'channels.push'],
  ],
  [
    'everything wrong at once',
    { bookingId: 1, referenceId: 2, ...text(long) },
    ['bookingId', 'channels.sms.message', 'phone', 'referenceId'],
  ],
];

for (const [what, body, fields] of bodies) {
  test(`400 000001 for ${what}, naming ${fields.join(' and ')}`, async () => {
    assertProblem(await refused(() => post(body)), 400, '000001', [...fields]);
  });
}

for (const [what, sent] of [
  ['no object', '"Hi"'],
  ['null', 'null'],
  ['a list', '[]'],
  ['not JSON', '{"phone":'],
] as const) {
  test(`400 000001 for a body that is ${what}`, async () => {
    const path = `/workshops/${workshopId}/messages`;
    const { status, body } = await refused(() => partner.call('POST', path, sent));
    assert.deepEqual([status, body.errorCode], [400, '000001']);
  });
}

test('a text of any length that is too long is refused with its number of segments', async () => {
  for (const [message, segments] of [
    [long, 11],
    ['ñ€'.repeat(600), 12],
    ['ї'.repeat(671), 11],
    ['😀'.repeat(336), 11],
    ['x'.repeat(20_000), 131],
  ] as const) {
    const { body } = await refused(() => post({ phone, ...text(message) }));
    assert.match(body.errors[0].message, new RegExp(`\\b${segments} SMS segments`));
  }
});

test('ten segments are sent', async () => {
  for (const message of ['x'.repeat(1_530), 'ї'.repeat(670)]) {
    const { sms } = await send({ phone: newPhone(), ...text(message) });
    assert.equal((await world.read(sms.messageId)).segments, 10);
  }
});

test('401 010000 for a missing or invalid token, with WWW-Authenticate', async () => {
  const path = `/workshops/${workshopId}/messages`;
  const ids = { 'x-partner-id': partner.partnerId };
  const wrong: Record<string, string>[] = [
    ids,
    { ...ids, authorization: `Bearer ${partner.token}x` },
    { ...ids, authorization: 'Bearer' },
    { ...ids, authorization: `Basic ${partner.token}` },
    { authorization: `Bearer ${partner.token}`, 'x-partner-id': other.partnerId },
  ];
  for (const headers of wrong) {
    const answer = await refused(() =>
      app.request('POST', path, { headers, body: { phone, ...text('Hi') } }),
    );
    assertProblem(answer, 401, '010000');
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
  }
});

test('403 000003 when messaging is switched off for the partner (specification: Partners and workshops 8)', async () => {
  await setFeature(
    { db, clock },
    { partnerId: other.partnerId, feature: 'messaging', enabled: false },
    actors.operator,
  );
  assertProblem(await refused(() => post({ phone }, other)), 403, '000003');
  await setFeature(
    { db, clock },
    { partnerId: other.partnerId, feature: 'messaging', enabled: true },
    actors.operator,
  );
  assert.equal((await send({ phone: newPhone() }, other)).success, true);
});

test('403 000004 when partner integration is disabled for the workshop (specification: Messages 4; Partners and workshops 8)', async () => {
  const id = await linkedWorkshop(app, [partner]);
  await setLink(
    { db, clock },
    { partnerId: partner.partnerId, workshopId: id, active: false },
    actors.operator,
  );
  const call = () => partner.call('POST', `/workshops/${id}/messages`, { phone, ...text('Hi') });
  assertProblem(await refused(call), 403, '000004');
});

test('403 000004 when inbox messaging is disabled for the workshop (specification: Messages 4; Partners and workshops 8)', async () => {
  const id = await linkedWorkshop(app, [partner], { inboxMessaging: 'off' });
  const call = () => partner.call('POST', `/workshops/${id}/messages`, { phone, ...text('Hi') });
  assertProblem(await refused(call), 403, '000004');
  await setWorkshop({ db, clock }, id, { inboxMessaging: 'on' }, actors.operator);
  assert.equal((await call()).status, 200);
});

test('404 030001 for a workshop that is unknown, not a UUID, or not linked', async () => {
  const unlinked = await linkedWorkshop(app, [other]);
  for (const id of [newId(), 'no-uuid', '%20', unlinked]) {
    for (const body of [{ phone }, { phone: 'call me' }, { customerId: newId() }]) {
      const call = () => partner.call('POST', `/workshops/${id}/messages`, { ...body, ...text('Hi') });
      assertProblem(await refused(call), 404, '030001');
    }
  }
});

test('404 040001 for a customer who is unknown, not a UUID, or of another workshop', async () => {
  const elsewhere = await customer({ workshopId: await linkedWorkshop(app, [partner]) });
  for (const customerId of [newId(), 'no-uuid', elsewhere.id]) {
    assertProblem(await refused(() => post({ customerId, phone })), 404, '040001');
  }
});

test('404 060001 for a booking that is unknown, not a UUID, of another workshop or another partner', async () => {
  const person = await customer();
  const theirs = await book(person.phone, {}, other);
  const elsewhere = await book(person.phone, { workshopId: await linkedWorkshop(app, [partner]) });
  for (const bookingId of [newId(), 'no-uuid', theirs, elsewhere]) {
    assertProblem(await refused(() => post({ customerId: person.id, bookingId })), 404, '060001');
    assertProblem(await refused(() => post({ phone: person.phone, bookingId })), 404, '060001');
  }
});

test('400 060001 for a booking of a different customer, also when the named customer does not exist yet', async () => {
  const bookingId = await book(newPhone());
  const { id } = await customer();
  assertProblem(await refused(() => post({ customerId: id, bookingId })), 400, '060001');
  assertProblem(await refused(() => post({ phone: newPhone(), bookingId })), 400, '060001');
});

test('429 without errorCode for more than 5 requests a second', async () => {
  await useUpRate(app, workshopId, phone);
  const { status, headers, body } = await refused(() => post({ phone }));
  assert.equal(status, 429);
  assert.deepEqual(Object.keys(body).sort(), ['help', 'message', 'requestId', 'success']);
  assert.equal(body.success, false);
  assert.equal(headers.get('retry-after'), '1');
  assert.equal(headers.get('ratelimit-policy'), '"messages";q=5;w=1');
  assert.equal(headers.get('ratelimit'), '"messages";r=0;t=1');
});

test('413, 415 and 405 have the same form', async () => {
  const path = `/workshops/${workshopId}/messages`;
  const large = () => post({ phone, ...text('x'.repeat(257 * 1_024)) });
  assertProblem(await refused(large), 413, '000005');
  const plain = () => partner.call('POST', path, 'Hi', { headers: { 'content-type': 'text/plain' } });
  assertProblem(await refused(plain), 415, '000006');
  const get = await refused(() => partner.call('GET', path));
  assertProblem(get, 405, '000002');
  assert.equal(get.headers.get('allow'), 'POST');
});

test('an empty text in an optional field counts as null', async () => {
  const { status, body } = await post({
    ...{ phone: newPhone(), customerId: '', bookingId: ' ', referenceId: '' },
    channels: { sms: { message: 'Hi', templateId: '' } },
  });
  assert.deepEqual([status, body.success, body.referenceId], [200, true, null]);
});
