/** Attendance and "the car is ready": visible only to the workshop; only the customer is notified. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { requireRecord } from '#platform/records/staff/find.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { previewNotice } from '#product/notifications/preview.ts';
import { createTemplate } from '#product/templates/create.ts';
import { messagingWorld, newPhone } from '../../../../test/fixtures/messaging.ts';
import { changeWith, failing } from '../../../../test/harness/change-with.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import { attendanceStates, countNotCome } from '../attendance/store.ts';
import { bookingRecord } from '../record.ts';
import { readAttendanceState, setAttendance } from './attendance.ts';
import { type MarkReady, markReady } from './ready.ts';

const { app, partner, workshopId, book, template } = await messagingWorld({
  config: { publicUrl: 'https://pitlane.example' },
});
const { context } = app;
const { db } = context;
const adviser = actors.person(newId(), 'r-1');
const other = await linkedWorkshop(app, [partner]);

const mark = (bookingId: string, changes: Partial<MarkReady> = {}, by = context) =>
  markReady(by, { workshopId, bookingId, actor: adviser, tellCustomer: true, ...changes });
const attend = (bookingId: string, state: (typeof attendanceStates)[number]) =>
  setAttendance(context, { workshopId, bookingId, state, actor: adviser });
const shownOf = async (id: string) => (await requireRecord(db, bookingRecord, id)).attendance;
const smsTo = (phone: string) => app.sms.to(phone).map(({ body }) => body);

async function booked(changes: Readonly<Record<string, unknown>> = {}) {
  const phone = newPhone();
  const id = await book(phone, { skipNotification: true, ...changes });
  await app.drain();
  return { id, phone };
}

/** Everything of the booking that its partner may see. */
async function seen(id: string) {
  await app.drain();
  const read = await partner.call('GET', `/bookings/${id}`);
  const feed = await partner.call('GET', '/bookings?updatedSince=2000-01-01T00:00:00Z&limit=200');
  const events = await partner.call('GET', '/events?limit=200');
  const [row] = await db.query('SELECT version, updated_at, status, xmin::text FROM booking WHERE id = $1', [
    id,
  ]);
  const { bookings = [] } = feed.body;
  const theirs = (events.body.events ?? []).filter((one: object) => JSON.stringify(one).includes(id));
  return { read: read.body, etag: read.headers.get('etag'), row, bookings, events: theirs };
}

test('each state is set and undone; the booking and what its partner sees stay unchanged (specification: The front desk 1)', async () => {
  const { id } = await booked();
  const before = await seen(id);
  assert.equal(await shownOf(id), 'expected');
  let last = 'expected';
  for (const state of [...attendanceStates.slice(1), 'expected'] as const) {
    assert.deepEqual(await attend(id, state), { state, before: last });
    assert.equal(await shownOf(id), state);
    last = state;
  }
  await mark(id);
  await attend(id, 'didNotCome');
  assert.deepEqual(await seen(id), before);
  assert.throws(() => readAttendanceState('late'), InvalidInput);
});

test('the last of concurrent changes wins, and each records the previous state (specification: The front desk 1)', async () => {
  const { id } = await booked();
  const states = ['here', 'ready', 'collected', 'didNotCome', 'expected'] as const;
  const all = await Promise.all(states.map((state) => attend(id, state)));
  const final = await shownOf(id);
  // Each change but the last is the previous one of exactly one other: a chain from "expected".
  const chain = new Map<string, number>();
  for (const { state, before } of all) {
    chain.set(before, (chain.get(before) ?? 0) + 1);
    chain.set(state, (chain.get(state) ?? 0) - 1);
  }
  const open = [...chain].filter(([, count]) => count !== 0);
  assert.deepEqual(Object.fromEntries(open), final === 'expected' ? {} : { expected: 1, [final]: -1 });
});

test('a booking of another workshop is not found, and an error of the change around it undoes it', async () => {
  const { id } = await booked();
  const change = { bookingId: id, state: 'here', actor: adviser } as const;
  const notFound = (error: unknown) => error instanceof Problem && error.status === 404;
  for (const [where, bookingId] of [
    [other, id],
    [workshopId, newId()],
    [workshopId, 'x'],
  ] as const) {
    await assert.rejects(setAttendance(context, { ...change, workshopId: where, bookingId }), notFound);
    await assert.rejects(mark(bookingId, { workshopId: where }), notFound);
  }
  const noKey = failing('no key');
  const attended = (within: typeof context) => setAttendance(within, { ...change, workshopId });
  await assert.rejects(changeWith(context, attended, noKey), /no key/);
  await assert.rejects(
    changeWith(context, (within) => mark(id, {}, within), noKey),
    /no key/,
  );
  await app.drain();
  assert.equal(await shownOf(id), 'expected');
});

test('how often a customer did not come is counted for each workshop separately', async () => {
  const { id, phone } = await booked();
  const again = await book(phone, { skipNotification: true });
  const { customerId } = await requireRecord(db, bookingRecord, id);
  assert.equal(await countNotCome(db, workshopId, customerId), 0);
  await attend(id, 'didNotCome');
  await attend(again, 'didNotCome');
  assert.equal(await countNotCome(db, workshopId, customerId), 2);
  assert.equal(await countNotCome(db, other, customerId), 0);
});

test('ready: the customer gets one SMS, at the booking’s number, and another only on request (specification: The front desk 2)', async () => {
  const { id, phone } = await booked();
  const code = (await requireRecord(db, bookingRecord, id)).code;
  const first = await mark(id);
  assert.deepEqual([first.before, first.notTold, typeof first.eventId], ['expected', null, 'string']);
  await app.drain();
  const [text = ''] = smsTo(phone);
  assert.match(
    text,
    /: your car ABC123 is ready\. Questions\? Call .*\nYour booking: https:\/\/pitlane\.example\/b\/\w{10}$/,
  );
  const second = await mark(id);
  assert.deepEqual([second.before, second.eventId, second.notTold], ['ready', null, 'toldAlready']);
  const races = await Promise.all([1, 2, 3].map(async () => mark((await booked()).id)));
  assert.ok(races.every(({ eventId }) => eventId !== null));
  const raced = await booked();
  const told = (await Promise.all([1, 2, 3].map(() => mark(raced.id)))).filter(({ eventId }) => eventId);
  assert.equal(told.length, 1);
  await mark(id, { again: true, text: `Bring the spare key, ${code}` });
  await app.drain();
  assert.equal(smsTo(raced.phone).length, 1);
  assert.deepEqual(
    smsTo(phone).map((one) => one.split('\n')[0]),
    [text.split('\n')[0], `Bring the spare key, ${code}`],
  );
  const kinds = await db.query('SELECT DISTINCT kind, audience, channel FROM message WHERE booking_id = $1', [
    id,
  ]);
  assert.deepEqual(kinds, [{ kind: 'carReady', audience: 'customer', channel: 'sms' }]);
});

test('without a phone, after an opt-out, an erasure or a cancellation it is marked, and nobody is notified (specification: The front desk 2)', async () => {
  const cases = {
    noPhone: (id: string) => db.query(`UPDATE booking SET contact_phone = '' WHERE id = $1`, [id]),
    optedOut: async (id: string) => {
      const { customerId } = await requireRecord(db, bookingRecord, id);
      await setOptedOut({ db, clock: context.clock }, customerId, true, actors.operator);
    },
    erased: async (id: string) => {
      const { eraseCustomer } = await import('#operation/erasure/erase-customer.ts');
      await eraseCustomer(
        { db, clock: context.clock },
        (await requireRecord(db, bookingRecord, id)).customerId,
        actors.operator,
      );
    },
    cancelled: (id: string) => partner.call('POST', `/bookings/${id}/cancelled`, { skipNotification: true }),
  };
  for (const [reason, makeSo] of Object.entries(cases)) {
    const { id, phone } = await booked();
    await makeSo(id);
    const { eventId, notTold } = await mark(id);
    assert.deepEqual([eventId, notTold, await shownOf(id)], [null, reason, 'ready']);
    await app.drain();
    assert.deepEqual(smsTo(phone), [], reason);
  }
  const { id, phone } = await booked();
  assert.equal((await mark(id, { tellCustomer: false })).notTold, 'silent');
  await app.drain();
  assert.deepEqual(smsTo(phone), []);
  // The first notice, sent afterwards.
  assert.notEqual((await mark(id)).eventId, null);
});

test('an opt-out between the event and the SMS stops the SMS (specification: The front desk 13)', async () => {
  const { id, phone } = await booked();
  await mark(id);
  const { customerId } = await requireRecord(db, bookingRecord, id);
  await setOptedOut({ db, clock: context.clock }, customerId, true, actors.operator);
  await app.drain();
  assert.deepEqual(smsTo(phone), []);
});

test('the workshop’s text contains no link: it is refused when it is saved, and not sent when a link comes from a value (specification: The front desk 2 and 13)', async () => {
  const purpose = 'bookingCarReady.customer.sms';
  const written = (body: string) =>
    createTemplate(
      { db, clock: context.clock },
      { workshopId, name: newId(), purpose, body },
      actors.operator,
    );
  for (const body of ['Pay at https://evil.example/x', 'See pay.garage.com', 'Call www.garage.com.au']) {
    await assert.rejects(written(body), /must hold no link/);
    const { id } = await booked();
    await assert.rejects(mark(id, { text: body }), /must hold no link/);
    assert.equal(await shownOf(id), 'expected');
  }
  await template('{{ car.rego }} waits for you, {{ customer.firstName }}.', { purpose });
  const { id, phone } = await booked();
  assert.match((await previewNotice(app.context, purpose, id)).text, /^ABC123 waits for you/);
  await mark(id);
  await app.drain();
  assert.match(
    smsTo(phone)[0] ?? '',
    /^ABC123 waits for you, \w+\.\nYour booking: https:\/\/pitlane\.example\/b\//,
  );
  await template('Pay at pay.{{ "garage" }}.co{{ "m" }} for {{ car.rego }}', { purpose });
  const hidden = await booked();
  assert.match((await previewNotice(app.context, purpose, hidden.id)).text, /is ready/);
});

test('a text of blanks or with too many segments is refused (specification: The front desk 13)', async () => {
  const { id } = await booked();
  for (const text of [' ', '\n', 'x'.repeat(500)]) await assert.rejects(mark(id, { text }), InvalidInput);
});
