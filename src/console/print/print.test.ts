/** The day on paper and the week for the board: what stands on them for whom, and that a print is in the trail, once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { setAttendance } from '#product/bookings/staff/attendance.ts';
import { blockBays } from '#product/bookings/staff/block.ts';
import { setDayNote } from '#product/workshops/day-notes/set.ts';
import { baseOf, peopleOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
// Monday 4 March 2030, 8:10 in Melbourne.
app.clock.setAdvance(Math.round((Date.parse('2030-03-03T21:10:00Z') - Date.now()) / 1_000));
const { db } = app.context;
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const { owner, adviser, technician, viewer } = await peopleOf(app, workshopId);
const base = await baseOf(app, workshopId);
const book = async (bookingTime: string, changes = {}) => {
  const { status, body } = await partner.call(
    'POST',
    '/bookings',
    bookingBody(workshopId, { bookingTime, skipNotification: true, ...changes }),
  );
  assert.equal(status, 201, JSON.stringify(body));
  return body.booking as { id: string };
};
const first = await book('2030-03-03T22:30:00Z', {
  ...{ carRego: 'PRINT1', customerName: 'Pia Paper', customerPhone: '0491570110' },
  notes: 'Rattles; call 0491 570 110',
  pickupTime: '2030-03-04T05:30:00Z',
});
const gone = await book('2030-03-04T00:30:00Z', { carRego: 'GONE1' });
await partner.call('POST', `/bookings/${gone.id}/cancelled`, {});
await book('2030-03-06T22:30:00Z', { carRego: 'THU333' });
await book('2030-03-11T22:30:00Z', { carRego: 'NEXT1' });
const walkIn = await owner.submit(`${base}/bookings/new`, `${base}/bookings/new`, {
  ...{ date: '2030-03-08', time: '11:00', name: 'Walt 0491 570 110', service: 'Tyres, call 0491 570 110' },
});
assert.equal(walkIn.status, 303, walkIn.text);
await setAttendance(app.context, { workshopId, bookingId: first.id, state: 'here', actor: actors.operator });
await setDayNote(app.context, {
  ...{ workshopId, date: '2030-03-04', text: 'Tom is off until noon', seen: 0, actor: actors.operator },
});
await blockBays(
  app.context,
  workshopId,
  { bays: '1', reason: 'Hoist 2 is broken', from: '2030-03-04 10:00', to: '2030-03-04 12:00' },
  { actor: actors.operator },
);

const day = `${base}/print?date=2030-03-04`;
const tight = (text: string) => text.replaceAll(/[\s()-]/g, '');
const printedBy = (personId: string) =>
  db.query<{ action: string; after: unknown }>(
    'SELECT action, after FROM audit_entry WHERE actor = $1 ORDER BY id',
    [`person ${personId}`],
  );

test('the day: who comes when, for what, notes, pick-up, boxes, the note of the day and closed bays', async () => {
  const { status, text } = await adviser.get(day);
  assert.equal(status, 200);
  for (const part of [
    /Mon 4 Mar 2030/,
    /1 booking · /,
    /Tom is off until noon/,
    /A bay closed<\/strong> 10:00 am – 12:00 pm: Hoist 2 is broken/,
    /9:30 am.*PRINT1.*Pia Paper.*0491 570 110.*Rattles; call 0491 570 110.*4:30 pm/s,
    /<span class="box" aria-hidden="true">✕<\/span>Here<span class="unseen">, marked/,
    /<span class="box" aria-hidden="true"><\/span>Collected/,
    /data-print>Print</,
  ])
    assert.match(text, part);
  assert.doesNotMatch(text, /GONE1|THU333/);
  assert.match((await technician.get(`${base}/today`)).text, /print\?date=2030-03-04">Print</);
});

test('seven days for the board: by day, without phones and notes for everybody (specification: The console 11)', async () => {
  const { status, text } = await owner.get(`${base}/print?from=2030-03-04`);
  assert.equal(status, 200);
  assert.match(
    text,
    /Mon 4 Mar 2030.*PRINT1.*Thu 7 Mar 2030.*THU333.*Fri 8 Mar 2030.*Walt.*Tyres.*Sun 10 Mar 2030/s,
  );
  assert.doesNotMatch(tight(text), /491570110|Rattles|PiaPaper|NEXT1|GONE1/);
  assert.match((await owner.get(`${base}/week?from=2030-03-04`)).text, /print\?from=2030-03-04">Print</);
});

test('who sees no phones prints none; a booking of several days is on each of them', async () => {
  await db.query(`UPDATE booking SET occupied_until = occupied_from + interval '30 hours' WHERE id = $1`, [
    first.id,
  ]);
  const masked = await viewer.get(day);
  assert.match(masked.text, /Pia Paper/);
  assert.doesNotMatch(tight(masked.text), /491570110/);
  assert.match(
    (await viewer.get(`${base}/print?date=2030-03-05`)).text,
    /since Mon 4 Mar 2030, 9:30 am.*PRINT1/s,
  );
  assert.doesNotMatch((await viewer.get(`${base}/print?date=2030-03-06`)).text, /PRINT1/);
});

test('a number in what is to be done, in a name or in notes is shown to whoever sees phones, and to nobody else, wherever bookings stand', async () => {
  const [made] = await db.query<{ id: string; customerId: string }>(
    `SELECT id, customer_id FROM booking WHERE services::text LIKE '%Tyres%'`,
  );
  await db.query(
    `UPDATE booking SET contact_company = 'Acme 0491 570 110', notes = 'Call 0491 570 110' WHERE id = $1`,
    [made?.id],
  );
  const places = ['print?date=2030-03-08', 'today?date=2030-03-08', `bookings/${made?.id}`, 'bookings'];
  const pages = [...places.map((path) => `${base}/${path}`), `${base}/customers/${made?.customerId}`];
  for (const seesPhones of [true, false]) {
    const person = await signedInPerson(app, [workshopId], 'adviser', { seesPhones });
    for (const page of pages) {
      const { status, text } = await person.get(page);
      assert.equal(status, 200, page);
      assert.match(text, /Tyres/, page);
      assert.equal(/491570110/.test(tight(text)), seesPhones, page);
    }
    // A new booking is filled in from the customer, or from the other booking.
    for (const from of [`customer=${made?.customerId}`, `like=${made?.id}`]) {
      const { text } = await person.get(`${base}/bookings/new?${from}`);
      assert.match(text, seesPhones ? /value="Walt 0491 570 110"/ : /name="name"/, from);
      assert.equal(/491570110/.test(tight(text)), seesPhones, from);
    }
  }
});

test('no date, another workshop’s, nobody: 422 that names the way out, 404, the sign-in; and nothing is recorded', async () => {
  const person = await signedInPerson(app, [workshopId]);
  for (const wrong of ['date=2030-02-30', 'date=soon', 'date=', 'from=2030-13-01', 'from=', "from=<b>'"]) {
    const { status, text } = await person.get(`${base}/print?${wrong}`);
    assert.equal(status, 422, wrong);
    assert.match(text, /(date|from) must be like 2030-03-04/);
  }
  for (const edge of ['0001-01-01', '9999-12-31'])
    for (const path of ['print?date=', 'print?from=', 'week?from=', 'today?date=']) {
      const { status } = await adviser.get(`${base}/${path}${edge}`);
      assert.ok(status < 500, `${path}${edge}: ${status}`);
    }
  assert.deepEqual(await printedBy(person.personId), []);
  const elsewhere = await linkedWorkshop(app, [], { name: 'Elsewhere' });
  const stranger = await signedInPerson(app, [elsewhere]);
  assert.equal((await stranger.get(day)).status, 404);
  assert.deepEqual(await printedBy(stranger.personId), []);
});

test('a print is one entry a minute of a person and sheet, however often and at once it is fetched (specification: The console 11)', async () => {
  const person = await signedInPerson(app, [workshopId], 'technician');
  await Promise.all(Array.from({ length: 6 }, () => person.get(day)));
  await person.get(`${base}/print?from=2030-03-04`);
  await person.get(day);
  const entries = [
    { action: 'workshop.dayPrinted', after: { date: '2030-03-04' } },
    { action: 'workshop.weekPrinted', after: { date: '2030-03-04' } },
  ];
  assert.deepEqual(await printedBy(person.personId), entries);
  // A minute later it is another print.
  await db.query(
    `UPDATE audit_entry SET id = overlay(id::text PLACING left(first_id(clock_timestamp() - interval '61 seconds')::text, 13) FROM 1 FOR 13)::uuid
      WHERE actor = $1`,
    [`person ${person.personId}`],
  );
  await person.get(day);
  assert.equal((await printedBy(person.personId)).length, 3);
});
