import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { setFeature } from '#product/partners/features.ts';
import { setLink } from '#product/workshops/link.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { type Answer, startTestApp } from '../../../../test/harness/app.ts';
import {
  bookingBody,
  linkedWorkshop,
  type SignedInPartner,
  signedInPartner,
} from '../../../../test/harness/world.ts';

const app = await startTestApp();
const { db, clock } = app.context;

function assertError(answer: Answer, status: number, errorCode: string): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.equal(answer.body.errorCode, errorCode);
}

function book(partner: SignedInPartner, workshopId: string): Promise<Answer> {
  return partner.call('POST', '/bookings', bookingBody(workshopId));
}

function text(partner: SignedInPartner, workshopId: string, phone = '0491570006'): Promise<Answer> {
  const body = { phone, channels: { sms: { message: 'Your car is ready' } } };
  return partner.call('POST', `/workshops/${workshopId}/messages`, body);
}

function templates(partner: SignedInPartner, workshopId: string): Promise<Answer> {
  return partner.call('GET', `/workshops/${workshopId}/templates`);
}

async function isSilent(work: () => Promise<unknown>): Promise<void> {
  const tables = ['booking', 'customer', 'car', 'message', 'conversation', 'event'];
  const count = () => Promise.all(tables.map((table) => db.query(`SELECT count(*)::int AS n FROM ${table}`)));
  const before = await count();
  await work();
  assert.deepEqual(await count(), before);
}

test('a workshop without a link is not found, and its existence is not revealed (specification: Errors 5; Partners and workshops 1)', async () => {
  const [mine, theirs] = [await signedInPartner(app), await signedInPartner(app)];
  const workshopId = await linkedWorkshop(app, [theirs]);
  const unknown = '01900000-0000-7000-8000-00000000dead';
  await isSilent(async () => {
    for (const operation of [book, text, templates]) {
      const [foreign, none] = [await operation(mine, workshopId), await operation(mine, unknown)];
      assertError(foreign, 404, '030001');
      assert.deepEqual({ ...foreign.body, requestId: '' }, { ...none.body, requestId: '' });
    }
  });
});

test("another partner's booking and message are not found, although the workshop is shared (specification: Errors 5)", async () => {
  const [mine, theirs] = [await signedInPartner(app), await signedInPartner(app)];
  const workshopId = await linkedWorkshop(app, [mine, theirs]);
  const { id } = (await book(theirs, workshopId)).body.booking;
  const sent = await text(theirs, workshopId);
  const unknown = '01900000-0000-7000-8000-00000000dead';
  await isSilent(async () => {
    const [foreign, none] = [
      await mine.call('GET', `/bookings/${id}`),
      await mine.call('GET', `/bookings/${unknown}`),
    ];
    assertError(foreign, 404, '060001');
    assert.deepEqual({ ...foreign.body, requestId: '' }, { ...none.body, requestId: '' });
    assertError(await mine.call('PUT', `/bookings/${id}`, { notes: 'mine now' }), 404, '060001');
    const path = `/workshops/${workshopId}/messages/${sent.body.sms.messageId}`;
    assertError(await mine.call('GET', path), 404, '120001');
    assert.equal((await theirs.call('GET', path)).status, 200);
  });
});

test('a link that is switched off: writing and sending are 403 000004 at once, reading own bookings still works (specification: Partners and workshops 2)', async () => {
  const [partner, other] = [await signedInPartner(app), await signedInPartner(app)];
  const workshopId = await linkedWorkshop(app, [partner, other]);
  const { id } = (await book(partner, workshopId)).body.booking;
  await setLink({ db, clock }, { partnerId: partner.partnerId, workshopId, active: false }, actors.operator);
  await isSilent(async () => {
    assertError(await book(partner, workshopId), 403, '000004');
    assertError(await partner.call('PUT', `/bookings/${id}`, { notes: 'x' }), 403, '000004');
    assertError(await text(partner, workshopId), 403, '000004');
    assertError(await templates(partner, workshopId), 403, '000004');
    const read = await partner.call('GET', `/bookings/${id}`);
    assert.equal(read.status, 200);
    assert.equal(read.body.booking.notes, null);
  });
  assert.equal((await book(other, workshopId)).status, 201);
  await setLink({ db, clock }, { partnerId: partner.partnerId, workshopId, active: true }, actors.operator);
  assert.equal((await book(partner, workshopId)).status, 201);
});

test('403 000003 when messaging is switched off for the partner, before the flags of the workshop (specification: Partners and workshops 8)', async () => {
  const [partner, other] = [await signedInPartner(app), await signedInPartner(app)];
  const workshopId = await linkedWorkshop(app, [partner, other]);
  await setFeature(
    { db, clock },
    { partnerId: partner.partnerId, feature: 'messaging', enabled: false },
    actors.operator,
  );
  await isSilent(async () => {
    assertError(await text(partner, workshopId), 403, '000003');
    assertError(await templates(partner, workshopId), 403, '000003');
    await setWorkshop({ db, clock }, workshopId, { inboxMessaging: 'off' }, actors.operator);
    assertError(await text(partner, workshopId), 403, '000003');
    assertError(await text(other, workshopId), 403, '000004');
    assertError(await templates(other, workshopId), 403, '000004');
  });
  assert.equal((await book(partner, workshopId)).status, 201, 'bookings need no messaging');
});
