/** Long because one app serves all of it. The day: who comes, who is late, what waits; its note, and closing in one step. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { setAttendance } from '#product/bookings/staff/attendance.ts';
import { closeBays } from '#product/bookings/staff/close.ts';
import { dayWorld } from '../../../test/fixtures/day-world.ts';
import { baseOf, fieldsOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const { app, partner, shop } = await dayWorld();
const { db } = app.context;

test('bookings of the day with their marks; who is late is named; another day has none of them (specification: The console 9)', async () => {
  const { workshopId, people, base, book } = await shop();
  const late = await book('2030-03-03T22:30:00Z', { carRego: 'LATE1', customerName: 'Lee Late' });
  const here = await book('2030-03-03T22:45:00Z', { carRego: 'HERE1' });
  await book('2030-03-03T23:05:00Z', { carRego: 'SOON1' });
  await setAttendance(app.context, {
    ...{ workshopId, bookingId: here.id, state: 'here', actor: actors.operator },
  });
  const { status, text } = await people.viewer.get(`${base}/today`);
  assert.equal(status, 200);
  assert.match(text, /3 bookings · 1 late · 1 here · 3 to confirm/);
  const lateCard = text.slice(text.indexOf('<h2>Late</h2>'));
  assert.match(lateCard.slice(0, lateCard.indexOf('</section>')), /LATE1/);
  assert.doesNotMatch(lateCard.slice(0, lateCard.indexOf('</section>')), /HERE1|SOON1/);
  assert.ok(text.includes(`href="${base}/bookings/${late.id}"`));
  const tomorrow = await people.viewer.get(`${base}/today?date=2030-03-05`);
  assert.doesNotMatch(tomorrow.text, /LATE1|HERE1/);
  assert.match(tomorrow.text, /0 bookings/);
});

test('attendance is marked on the card in one click, which leads back to the day, and taken back by another (specification: The console 25)', async () => {
  const { people, base, book } = await shop();
  const { id } = await book('2030-03-03T22:30:00Z', { carRego: 'CARD1', customerName: 'Kai Burton' });
  const action = `${base}/bookings/${id}/attendance`;
  const page = `${base}/today`;
  const stateOf = async () =>
    (await db.query<{ state: string }>('SELECT state FROM attendance WHERE booking_id = $1', [id]))[0]?.state;
  const { text } = await people.technician.get(page);
  assert.match(text, /<div role="group" aria-label="Attendance of CARD1">/);
  assert.match(text, /<strong>CARD1<\/strong> <span class="who"><bdi>Kai Burton<\/bdi>/);
  const stale = fieldsOf(text, action);
  assert.equal(stale['next'], page);
  const marked = await people.technician.submit(page, action, { state: 'here' });
  assert.deepEqual([marked.status, marked.location], [303, `${page}?done=marked#c-${id}`]);
  assert.equal(await stateOf(), 'here');
  const after = (await people.technician.get(`${page}?done=marked`)).text;
  assert.match(after, /role="status">Marked\.</);
  assert.match(after, /name="state" value="expected" aria-pressed="true" title="Here"/);
  assert.match(after, /name="state" value="ready" aria-pressed="false" title="Ready"/);
  // What somebody else marked meanwhile is not written over.
  const refused = await people.owner.post(action, { ...stale, state: 'collected' });
  assert.equal(refused.status, 422);
  assert.equal(await stateOf(), 'here');
  await people.technician.submit(page, action, { state: 'expected' });
  assert.notEqual(await stateOf(), 'here');
  const tomorrow = await people.owner.get(`${base}/today?date=2030-03-05`);
  assert.doesNotMatch(tomorrow.text, /class="attend"/);
  assert.doesNotMatch((await people.viewer.get(page)).text, /class="attend"/);
  assert.equal((await people.viewer.post(action, { ...stale, state: 'ready' })).status, 403);
});

test('always: what leads back from a card is a path below the workshop’s console, whatever the form says (specification: The console 25)', async () => {
  const { people, base, book } = await shop();
  const { id } = await book('2030-03-03T22:30:00Z');
  const action = `${base}/bookings/${id}/attendance`;
  for (const next of [
    'https://evil.example/',
    '//evil.example',
    '/console/me',
    `${base}x/today`,
    `${base}/../me`,
    '',
  ]) {
    const { status, location } = await people.owner.submit(`${base}/today`, action, { state: 'here', next });
    assert.deepEqual([status, location], [303, `${base}/bookings/${id}?done=marked`], next);
  }
  const next = `${base}/today?date=2030-03-04`;
  const { location } = await people.owner.submit(`${base}/today`, action, { state: 'ready', next });
  assert.equal(location, `${next}&done=marked#c-${id}`);
});

test('a free half hour leads to a new booking at its time; what is over, full or closed does not (specification: The console 25)', async () => {
  const { people, base, book } = await shop();
  await book('2030-03-04T00:00:00Z', { carRego: 'FULL1' });
  const times = (text: string) =>
    [...text.matchAll(/class="free[^"]*" href="[^"]*\/bookings\/new\?at=([^"]*)"/g)].map(([, at]) =>
      decodeURIComponent(at ?? ''),
    );
  const { text } = await people.adviser.get(`${base}/today`);
  const free = times(text);
  // It is 10:10; the one bay is kept at 11:00, and the workshop closes at 17:00.
  assert.equal(free[0], '2030-03-03T23:00:00.000Z');
  assert.ok(!free.includes('2030-03-04T00:00:00.000Z'), 'the bay is kept');
  assert.equal(free.at(-1), '2030-03-04T05:30:00.000Z');
  assert.match(text, /<span class="at">Free place at 10:00 am<\/span>/);
  const form = await people.adviser.get(`${base}/bookings/new?at=${free[0]}`);
  assert.match(form.text, /name="date"[^>]*value="2030-03-04"/);
  assert.match(form.text, /name="time"[^>]*value="10:00"/);
  assert.equal(times((await people.adviser.get(`${base}/today?date=2030-03-03`)).text).length, 0);
  assert.equal(times((await people.technician.get(`${base}/today`)).text).length, 0);
});

test('a booking without a registration goes by its customer’s name, the clock by the workshop’s, and a booking leads to its day (specification: The console 9)', async () => {
  const { people, base } = await shop();
  const made = await people.owner.submit(`${base}/bookings/new`, `${base}/bookings/new`, {
    ...{ date: '2030-03-04', time: '11:00', name: 'Walt Walker', service: 'Tyres' },
  });
  assert.equal(made.status, 303, made.text);
  const { text } = await people.owner.get(`${base}/today`);
  assert.match(text, /<strong><bdi>Walt Walker<\/bdi><\/strong>/);
  assert.match(text, /aria-label="Attendance of Walt Walker"/);
  assert.match(text, /here it is Mon 4 Mar 2030, 10:1\d am\./);
  const week = await people.owner.get(`${base}/week?from=2030-03-04`);
  assert.match(week.text, /<strong><bdi>Walt Walker<\/bdi><\/strong>/);
  const [booking] = /[^?]+/.exec(made.location ?? '') ?? [''];
  assert.match(
    (await people.owner.get(booking)).text,
    /<a href="[^"]*\/today\?date=2030-03-04">Mon 4 Mar 2030, 11:00 am/,
  );
});

test('a booking of several days is on each of them; a cancelled one is set apart', async () => {
  const { people, base, book } = await shop();
  const { id } = await book('2030-03-03T23:30:00Z', { carRego: 'LONG1' });
  await db.query(`UPDATE booking SET occupied_until = occupied_from + interval '50 hours' WHERE id = $1`, [
    id,
  ]);
  const gone = await book('2030-03-04T00:30:00Z', { carRego: 'GONE1' });
  await partner.call('POST', `/bookings/${gone.id}/cancelled`, {});
  const { text } = await people.owner.get(`${base}/today`);
  assert.match(text, /1 booking · .*1 cancelled booking/s);
  assert.match((await people.owner.get(`${base}/today?date=2030-03-05`)).text, /LONG1/);
  assert.doesNotMatch((await people.owner.get(`${base}/today?date=2030-03-07`)).text, /LONG1/);
});

test('what waits is counted for whoever may see it, and leads there', async () => {
  const { people, base, book } = await shop();
  await book('2030-03-05T22:30:00Z');
  const { text } = await people.owner.get(`${base}/today`);
  assert.match(
    text,
    /href="[^"]*\/bookings\?state=pending"><span>Bookings to confirm<\/span> <strong>1<\/strong>/,
  );
  assert.match((await people.owner.get(`${base}/bookings?state=pending`)).text, /ABC123/);
});

test('a note of the day: kept, read by all, never written over what somebody else has noted meanwhile', async () => {
  const { people, base } = await shop();
  const { owner, adviser, viewer } = people;
  const page = `${base}/today`;
  const action = `${base}/today/note`;
  const stale = fieldsOf((await adviser.get(page)).text, action);
  const saved = await owner.submit(page, action, { text: 'Sam is off' });
  assert.equal(saved.status, 303);
  assert.match((await viewer.get(page)).text, /Sam is off/);
  const refused = await adviser.post(action, { ...stale, text: 'Hoist 2 is broken' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /Somebody changed this meanwhile.*Hoist 2 is broken/s);
  assert.match((await viewer.get(page)).text, /Sam is off/);
  const long = await adviser.post(action, { ...stale, text: 'x'.repeat(10_000) });
  const shortened = await adviser.post(action, { ...fieldsOf(long.text, action), text: 'Hoist 2 is broken' });
  assert.match(shortened.text, /Somebody changed this meanwhile/);
  assert.match((await viewer.get(page)).text, /Sam is off/);
  // Sent again by a double click: the first answer.
  const fields = { ...fieldsOf((await owner.get(page)).text, action), text: 'Sam is back' };
  const [one, two] = await Promise.all([owner.post(action, fields), owner.post(action, fields)]);
  assert.deepEqual([one.status, two.status, one.location], [303, 303, two.location]);
  assert.equal((await viewer.post(action, fields)).status, 403);
});

test('full today and a closed bay, in one step each, and open again', async () => {
  const { people, base, workshopId } = await shop();
  const { adviser } = people;
  const page = `${base}/today`;
  const blocks = () =>
    db.query<{ reason: string; bays: number | null }>(
      'SELECT reason, bays FROM bay_block WHERE workshop_id = $1 ORDER BY created_at',
      [workshopId],
    );
  assert.equal((await adviser.submit(page, `${base}/today/close`, { bays: 'x', reason: '' })).status, 422);
  assert.deepEqual(await blocks(), []);
  await adviser.submit(page, `${base}/today/close`, { bays: '1', reason: 'Hoist 2' });
  await adviser.submit(page, `${base}/today/full`);
  assert.deepEqual(await blocks(), [
    { reason: 'Hoist 2', bays: 1 },
    { reason: 'Full today', bays: null },
  ]);
  assert.match((await adviser.get(page)).text, /All bays closed/);
  const elsewhere = await signedInPerson(app, [await linkedWorkshop(app, [], { name: 'Elsewhere' })]);
  const [block] = await db.query<{ id: string }>('SELECT id FROM bay_block WHERE workshop_id = $1', [
    workshopId,
  ]);
  const theirs = await baseOf(
    app,
    (
      await db.query<{ workshopId: string }>('SELECT workshop_id FROM membership WHERE person_id = $1', [
        elsewhere.personId,
      ])
    )[0]?.workshopId ?? '',
  );
  assert.notEqual(
    (await elsewhere.post(`${theirs}/today/reopen`, { block: block?.id ?? '', key: 'x'.repeat(20) })).status,
    303,
  );
  assert.equal((await blocks()).length, 2);
  for (let n = 0; n < 2; n++) await adviser.submit(page, `${base}/today/reopen`);
  assert.deepEqual(await blocks(), []);
});

test('a day of 25 hours has the hour that comes twice twice, and one of 23 has none that is skipped', async () => {
  const { people, base, book } = await shop();
  for (const time of ['2030-04-06T15:30:00Z', '2030-04-06T16:30:00Z']) await book(time);
  const longer = (await people.owner.get(`${base}/today?date=2030-04-07`)).text;
  for (const label of ['2:00 am AEDT', '2:00 am AEST', '2:30 am AEDT', '2:30 am AEST'])
    assert.ok(longer.includes(label), label);
  for (const time of ['2030-10-05T15:30:00Z', '2030-10-05T16:30:00Z']) await book(time);
  const shorter = (await people.owner.get(`${base}/today?date=2030-10-06`)).text;
  assert.match(shorter, /<span>1:00 am<\/span>.*<span>3:00 am<\/span>/s);
  assert.doesNotMatch(shorter, /<span>2:00 am/);
});

test('who may move bookings gets their handles and the times of the rows; what is completed, cancelled or of another day has none (specification: The console 10)', async () => {
  const { workshopId, people, base, book } = await shop();
  const moved = await book('2030-03-04T01:00:00Z', { carRego: 'MOVE1' });
  const over = await book('2030-03-04T02:00:00Z', { carRego: 'OVER1' });
  const long = await book('2030-03-04T03:00:00Z', { carRego: 'LONG1' });
  await db.query(`UPDATE booking SET status = 'completed' WHERE id = $1`, [over.id]);
  await db.query(`UPDATE booking SET occupied_until = occupied_from + interval '30 hours' WHERE id = $1`, [
    long.id,
  ]);
  const handles = (text: string) =>
    [...text.matchAll(/class="handle" href="[^"]*\/bookings\/([\da-f-]{36})\/move"/g)].map(([, id]) => id);
  const { text } = await people.adviser.get(`${base}/today`);
  assert.deepEqual(handles(text), [moved.id, long.id]);
  assert.match(text, /\/day\.mjs"/);
  assert.match(text, /data-name="MOVE1" data-at-ms="1898\d+" data-time="12:00 pm"/);
  assert.deepEqual(handles((await people.adviser.get(`${base}/today?date=2030-03-05`)).text), []);
  for (const person of [people.technician, people.viewer]) {
    const { text: theirs } = await person.get(`${base}/today`);
    assert.match(theirs, /MOVE1/);
    assert.doesNotMatch(theirs, /day\.mjs|data-times|class="handle"|id="proposal"/);
  }
  assert.doesNotMatch((await people.adviser.get(`${base}/more`)).text, /day\.mjs/);

  // All bays closed from noon on: rows from then on are not open; nor is what lies outside the hours.
  await closeBays(app.context, {
    ...{ workshopId, bays: 'all', reason: 'Stocktake', actor: actors.operator },
  });
  const closed = (await people.adviser.get(`${base}/today`)).text;
  const [times = '', open = ''] = ['times', 'open'].map(
    (name) => new RegExp(`data-${name}="([^"]*)"`).exec(closed)?.[1] ?? '',
  );
  const rows = times.split('|');
  assert.equal(rows.length, open.length);
  assert.deepEqual(
    ['8:00 am', '10:00 am', '10:15 am', '4:45 pm'].map((time) => open[rows.indexOf(time)]),
    ['1', '1', '0', '0'],
  );
});

test('a name that is a number is masked on the day, its lists and its notes for whoever sees no phones', async () => {
  const { people, base, book, workshopId } = await shop();
  await book('2030-03-03T22:30:00Z', { customerName: '0491 570 006', carRego: 'NUM1' });
  await people.owner.submit(`${base}/today`, `${base}/today/note`, { text: 'Call 0491 570 006' });
  await people.owner.submit(`${base}/today`, `${base}/today/close`, {
    bays: '1',
    reason: 'For 0491 570 006',
  });
  assert.match((await people.owner.get(`${base}/today`)).text, /Late.*0491 570 006/s);
  const blind = await signedInPerson(app, [workshopId], 'adviser', { seesPhones: false });
  for (const by of [people.viewer, blind]) {
    const { text } = await by.get(`${base}/today`);
    assert.match(text, /NUM1/);
    assert.match(text, /Note of the day[^x]*Call …/);
    assert.doesNotMatch(text.replaceAll(/\s/g, ''), /491570006/);
  }
});

test('what ended before a day opens is not on it; of a day without hours the cars are named that stay', async () => {
  const { workshopId, people, base, book } = await shop();
  const { id } = await book('2030-03-08T04:00:00Z', { carRego: 'NIGHT1' });
  const keep = (hours: number) =>
    db.query(
      "UPDATE booking SET occupied_until = occupied_from + $2::integer * interval '1 hour' WHERE id = $1",
      [id, hours],
    );
  const text = async (date: string) => (await people.owner.get(`${base}/today?date=${date}`)).text;
  await keep(70);
  // A Saturday without hours.
  assert.match(
    await text('2030-03-09'),
    /Closed, with cars of earlier days.*since Fri 8 Mar 2030, 3:00 pm <strong>NIGHT1/s,
  );
  assert.match(await text('2030-03-11'), /1 of 1 bays.*NIGHT1/s);
  // Until Monday at one in the morning, as is this closing.
  await keep(58);
  await db.query(
    `INSERT INTO bay_block (id, workshop_id, blocked_from, blocked_until, bays, reason, created_at)
     VALUES (gen_random_uuid(), $1, '2030-03-10T02:00Z', '2030-03-10T14:00Z', 1, 'Stocktake', now())`,
    [workshopId],
  );
  assert.match(await text('2030-03-11'), /0 bookings.*0 of 1 bays/s);
  assert.doesNotMatch(await text('2030-03-11'), /1 of 1 bays|NIGHT1/);
});
