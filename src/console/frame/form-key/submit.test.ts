/** Forms of the console: done once, however often they are sent, and over nothing that their sender has not seen. */
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { change as inChange } from '#platform/change/change.ts';
import { baseOf, fieldsOf, type Person, signedInPerson } from '../../../../test/fixtures/office.ts';
import { at, placesWorld } from '../../../../test/fixtures/places.ts';
import type { Visit } from '../visit.ts';
import { submit } from './submit.ts';

const { app, partner, workshop, booked, change } = await placesWorld();
const { db } = app.context;
let workshopId = '';
let base = '';
let kim: Person;
let lee: Person;
let day = Temporal.PlainDate.from('2027-03-28');

/** A workshop with one bay, whose slots bookings must fit. */
before(async () => {
  workshopId = await workshop();
  base = await baseOf(app, workshopId);
  kim = await signedInPerson(app, [workshopId], 'adviser');
  lee = await signedInPerson(app, [workshopId], 'owner');
});
beforeEach(() => {
  day = day.add({ days: day.dayOfWeek < 5 ? 1 : 8 - day.dayOfWeek });
});

const typed = () => ({ name: 'Wendy', date: String(day), time: '09:00' });
const count = async () => (await db.query('SELECT FROM booking WHERE workshop_id = $1', [workshopId])).length;
const newKey = async () => fieldsOf((await kim.get(`${base}/bookings/new`)).text, `${base}/bookings/new`);
const book = (form: object, by = kim) => by.post(`${base}/bookings/new`, { ...typed(), ...form });

test('sent twice at once: one booking, and both are led to it, also where the first takes the last place (specification: The console 6)', async () => {
  const had = await count();
  const key = await newKey();
  const answers = await Promise.all([1, 2, 3].map(() => book(key)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303, 303],
  );
  assert.equal(new Set(answers.map(({ location }) => location)).size, 1);
  assert.equal(await count(), had + 1);
  const path = answers[0]?.location?.replace(/\?.*/, '') ?? '';
  const confirm = fieldsOf((await kim.get(path)).text, `${path}/confirm`);
  const confirmed = await Promise.all([1, 2].map(() => kim.post(`${path}/confirm`, confirm)));
  assert.deepEqual(
    confirmed.map(({ location }) => location),
    [`${path}?done=confirmed`, `${path}?done=confirmed`],
  );
});

test('a form that is refused for what was typed keeps the version that its sender has seen (specification: The console 6)', async () => {
  const path = (await book(await newKey())).location?.replace(/\?.*/, '') ?? '';
  const shown = new Map<string, Record<string, string>>();
  for (const way of ['move', 'edit'])
    shown.set(way, fieldsOf((await kim.get(`${path}/${way}`)).text, `${path}/${way}`));
  assert.equal((await lee.submit(`${path}/edit`, `${path}/edit`, { notes: 'By Lee' })).status, 303);
  for (const [way, wrong, right] of [
    ['move', { date: String(day), time: '25:00' }, { date: String(day), time: '10:00' }],
    ['edit', { pickupTime: '25:00' }, { pickupTime: '', notes: 'By Kim' }],
  ] as const) {
    const to = `${path}/${way}`;
    const typo = await kim.post(to, { ...shown.get(way), ...wrong });
    assert.deepEqual([typo.status, /meanwhile/.test(typo.text)], [422, false], way);
    const late = await kim.post(to, { ...fieldsOf(typo.text, to), ...right });
    assert.deepEqual([late.status, /Somebody changed this meanwhile/.test(late.text)], [422, true], way);
    assert.notEqual(fieldsOf(late.text, to)['version'], shown.get(way)?.['version']);
  }
});

test('back button and reload later: the first answer, whatever is typed by then; another form is another (specification: The console 6)', async () => {
  const key = await newKey();
  const first = await book(key);
  const had = await count();
  assert.equal((await book({ ...key, time: '10:00', name: 'Another' })).location, first.location);
  assert.equal(await count(), had);
  assert.notEqual((await book({ ...(await newKey()), time: '10:00' })).location, first.location);
  assert.equal(await count(), had + 1);
});

test("another person's key is their own, and shows nothing of what it led to (specification: The console 27)", async () => {
  const key = await newKey();
  const [kims, lees] = [await book(key), await book({ ...key, time: '11:00' }, lee)];
  assert.deepEqual([kims.status, lees.status], [303, 303]);
  assert.notEqual(kims.location, lees.location);
});

test('without a key, or with an unknown one, nothing is done (specification: The console 27)', async () => {
  const had = await count();
  for (const key of [undefined, '', 'short', `${'x'.repeat(16)}'`]) {
    const { status, text } = await book(key === undefined ? {} : { key });
    assert.equal(status, 422);
    assert.match(text, /This form has no key/);
    assert.match(text, /value="Wendy"/);
  }
  assert.equal(await count(), had);
});

test('a form that is refused does not use its key up', async () => {
  const key = await newKey();
  const refused = await book({ ...key, phone: 'none', notes: 'Ring first' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /Ring first/);
  assert.equal((await book(key)).status, 303);
});

test('a booking that was changed meanwhile: who changed what, what was typed, and nothing is overwritten (specification: The console 6 and 26)', async () => {
  const own = await booked(workshopId, at('14:00', 3));
  const path = `${base}/bookings/${own.id}`;
  const seen = (await kim.get(`${path}/move`)).text;
  const fields = fieldsOf(seen, `${path}/move`);
  const confirm = fieldsOf((await kim.get(path)).text, `${path}/confirm`);
  const edit = fieldsOf((await kim.get(`${path}/edit`)).text, `${path}/edit`);
  assert.equal((await change(own, { notes: 'By the back door' })).status, 200);
  const moved = await kim.post(`${path}/move`, { ...fields, date: '2027-04-02', time: '15:30' });
  const edited = await kim.post(`${path}/edit`, { ...edit, name: 'Overwritten', notes: 'Mine' });
  const confirmed = await kim.post(`${path}/confirm`, confirm);
  for (const { status, text } of [moved, edited, confirmed]) {
    assert.equal(status, 422);
    assert.match(text, /Somebody changed this meanwhile/);
    assert.match(text, /Partner Example Fleet<\/strong> changed it/);
    assert.match(text, /notes: By the back door/);
  }
  assert.match(moved.text, /value="2027-04-02"/);
  assert.match(moved.text, /value="15:30"/);
  assert.match(edited.text, /value="Overwritten"/);
  const { body } = await partner.call('GET', `/bookings/${own.id}`);
  assert.deepEqual(
    [body.booking.date, body.booking.status, body.booking.notes, body.booking.customer.name],
    [own.date, 'pending', 'By the back door', own.customer.name],
  );
  const again = fieldsOf(moved.text, `${path}/move`);
  assert.equal((await kim.post(`${path}/move`, { ...again, date: '2027-04-02', time: '15:30' })).status, 303);
});

test('an impossible version is refused like an old one', async () => {
  const own = await booked(workshopId, at('10:00', 3));
  const path = `${base}/bookings/${own.id}`;
  const form = fieldsOf((await kim.get(`${path}/edit`)).text, `${path}/edit`);
  const note = fieldsOf((await kim.get(`${base}/today`)).text, `${base}/today/note`);
  for (const version of ['2147483648', '9'.repeat(400), '1e308', 'Infinity', '-1', '0x1', '1.5', '']) {
    const edited = await kim.post(`${path}/edit`, { ...form, version, notes: 'Mine' });
    assert.equal(edited.status, 422, version);
    assert.match(edited.text, /Somebody changed this meanwhile/);
    const noted = await kim.post(`${base}/today/note`, { ...note, version, text: '' });
    assert.ok(noted.status < 500, version);
  }
  assert.equal((await kim.post(`${path}/edit`, { ...form, notes: 'Mine' })).status, 303);
});

test('the key is of the commit: what fails after it leaves none', async () => {
  const visit = {
    context: app.context,
    form: { key: newId() },
    who: { personId: kim.personId },
  } as unknown as Visit;
  const refused = () => assert.fail('it was no refusal');
  let runs = 0;
  const send = (fails: boolean) =>
    submit(
      visit,
      async (key) => {
        runs++;
        await inChange(key.once('/console/there'), async () => {
          if (fails) throw new Error('too late');
        });
        return '/console/there';
      },
      refused,
    );
  await assert.rejects(send(true), /^Error: too late$/);
  assert.deepEqual(await send(false), { to: '/console/there' });
  assert.deepEqual([await send(true), runs], [{ to: '/console/there' }, 2]);
  const unkept = { ...visit, form: { key: newId() } } as unknown as Visit;
  await assert.rejects(
    submit(unkept, async () => '/console/there', refused),
    /has not kept its key/,
  );
});
