/** Find in the browser: what is shown, what is masked, where it leads, and how much of it one session gets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { createOwnBooking } from '#product/bookings/staff/create.ts';
import { purgeSignIns } from '#product/people/sessions/purge.ts';
import { baseOf, type Person, peopleOf, signedInPerson, signIn } from '../../../test/fixtures/office.ts';
import { sweepWhole } from '../../../test/fixtures/search.ts';
import { staffWorld } from '../../../test/fixtures/walk-ins.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const { app, workshopId, known } = await staffWorld();
const { db } = app.context;
const base = await baseOf(app, workshopId);
const people = await peopleOf(app, workshopId);

const find = (by: Person, q: string) => by.get(`${base}/find?${new URLSearchParams({ q })}`);
const count = async (personId: string) => {
  const rows = await db.query('SELECT FROM shown_customer WHERE person_id = $1', [personId]);
  return rows.length;
};

test('a customer is found with car, booking and its mark, and the ways on; of another workshop nobody', async () => {
  const booking = await known('+61491570301', { customerName: '<b>Ava</b> & Co', carRego: 'FND301' });
  const elsewhere = await linkedWorkshop(app, [], { name: 'Elsewhere' });
  await createOwnBooking(
    app.context,
    elsewhere,
    { bookingTime: '2030-03-06 09:30', carRego: 'FND301', customerName: 'Stranger' },
    {
      notify: false,
      anyway: null,
      actor: { kind: 'person', personId: people.owner.personId, requestId: 'r' },
    },
  );
  await sweepWhole(app.context);
  const { status, text } = await find(people.adviser, 'fnd301');
  assert.equal(status, 200);
  assert.match(text, /data-count>1 customer</);
  assert.doesNotMatch(text, /<b>Ava|Stranger/);
  for (const part of [
    '&lt;b&gt;Ava&lt;/b&gt; &amp; Co',
    'FND301',
    'href="tel:+61491570301"',
    `href="${base}/customers/${booking.customerId}"`,
    `href="${base}/bookings/${booking.id}"`,
    booking.code,
    '? To confirm',
    `${base}/bookings/new?customer=${booking.customerId}&amp;rego=FND301`,
  ])
    assert.ok(text.includes(part), part);
  const { text: filled } = await people.adviser.get(
    `${base}/bookings/new?customer=${booking.customerId}&rego=FND301`,
  );
  assert.match(filled, /value="&lt;b&gt;Ava/);
});

test('without phones they are neither looked for nor shown, also where one stands in a name (specification: The console 4)', async () => {
  await known('+61491570302', {
    customerName: 'Ola 0491 570 302',
    customerEmail: 'ola@find.example',
    carRego: 'FND302',
  });
  await sweepWhole(app.context);
  for (const q of ['0491570302', 'ola@find.example']) {
    assert.match((await find(people.technician, q)).text, /FND302/);
    assert.match((await find(people.viewer, q)).text, /Nobody is found/);
  }
  const { text } = await find(people.viewer, 'fnd302');
  assert.match(text, /Ola/);
  assert.doesNotMatch(text, /570 ?302|find\.example|tel:|New booking/);
});

test('nothing asked is answered with a hint, too much with what is wrong, and what is not ready yet is said', async () => {
  const { owner } = people;
  assert.match((await owner.get(`${base}/find`)).text, /Type a registration/);
  const words = await find(owner, 'one two three four five six seven');
  assert.equal(words.status, 422);
  assert.match(words.text, /must have at most 6 words/);
  assert.equal((await find(owner, '???')).status, 200);
  await db.query('UPDATE search_sweep SET is_filled = false');
  assert.match((await find(owner, 'nobody at all')).text, /some are not found yet/);
  await sweepWhole(app.context);
  assert.doesNotMatch((await find(owner, 'nobody at all')).text, /some are not found yet/);
});

test('a person is shown 2,000 customers of a workshop an hour, in whatever sessions, each counted once, by Find, the list and the form of a booking (specification: The console 23)', async () => {
  await known('+61491570303', { customerName: 'Bo Bound', carRego: 'FND303' });
  await sweepWhole(app.context);
  const kim = await signedInPerson(app, [workshopId], 'adviser');
  const fill = (amount: number, ago: string) =>
    db.query(
      `INSERT INTO shown_customer (person_id, workshop_id, customer_id, at)
       SELECT $1, $2, gen_random_uuid(), clock_timestamp() - $4::interval FROM generate_series(1, $3::int)`,
      [kim.personId, workshopId, amount, ago],
    );
  await fill(1_998, '10 minutes');
  await fill(1, '30 minutes');
  await fill(500, '61 minutes');
  for (let times = 0; times < 2; times++) assert.match((await find(kim, 'fnd303')).text, /Bo Bound/);
  assert.equal(await count(kim.personId), 2_500);
  const again = { ...kim, ...(await signIn(app, kim.personId)) };
  for (const each of [kim, again]) {
    const past = await find(each, 'fnd301');
    assert.equal(past.status, 429);
    assert.match(past.text, /class="card narrow refused"/);
    assert.match(past.text, /too many customers: 2,000 within an hour/);
    assert.match(past.text, /That ends on \w{3} \d+ \w{3} \d{4}, \d+:\d\d [ap]m/);
    const seconds = Number(past.headers.get('retry-after'));
    assert.ok(seconds > 1_700 && seconds <= 1_800, `one has to expire: ${seconds}`);
  }
  const { status, headers } = await kim.get(`${base}/customers`);
  assert.equal(status, 429);
  assert.ok(Number(headers.get('retry-after')) > 2_900, 'more than one have to');
  const typed = await kim.get(`${base}/bookings/new?rego=FND301`);
  assert.equal(typed.status, 200);
  assert.doesNotMatch(typed.text, /Ava/);
  assert.match((await find(kim, 'fnd303')).text, /Bo Bound/);
  assert.equal(await count(kim.personId), 2_500);
  // Of another person nothing is counted.
  assert.equal((await find(people.adviser, 'fnd301')).status, 200);
  await purgeSignIns(db);
  assert.equal(await count(kim.personId), 2_000);
});

test('many pages at once show no more than one after the other', async () => {
  const kim = await signedInPerson(app, [workshopId], 'adviser');
  await db.query(
    `INSERT INTO shown_customer (person_id, workshop_id, customer_id, at)
     SELECT $1, $2, gen_random_uuid(), clock_timestamp() FROM generate_series(1, 1999)`,
    [kim.personId, workshopId],
  );
  for (const n of [4, 5, 6, 7]) await known(`+6149157030${n}`, { carRego: `FND30${n}` });
  await sweepWhole(app.context);
  const all = await Promise.all([4, 5, 6, 7].map((n) => find(kim, `fnd30${n}`)));
  assert.deepEqual(all.map(({ status }) => status).toSorted(), [200, 429, 429, 429]);
  assert.equal(await count(kim.personId), 2_000);
});

test('what begins with too much is found in part, and asks for more letters; so do the inbox and a merge', async () => {
  const owner = await signedInPerson(app, [workshopId]);
  const { customerId } = await known('+61491570308', { customerName: 'Crowdy One', carRego: 'FND308' });
  await sweepWhole(app.context);
  await db.query(
    `INSERT INTO search_term (workshop_id, kind, term, customer_id)
     SELECT $1, 'name', 'crowd' || n, $2 FROM generate_series(1, 20000) AS n`,
    [workshopId, customerId],
  );
  const inbox = `${base}/inbox?filter=all&q=`;
  const merge = `${base}/customers/${(await known('+61491570309')).customerId}/merge?q=`;
  for (const path of [`${base}/find?q=`, inbox, merge]) {
    const part = await owner.get(`${path}crowd`);
    assert.equal(part.status, 200);
    assert.match(part.text, /Too much begins like that.*type more letters/, path);
    if (path !== inbox) assert.match(part.text, /Crowdy One/, path);
    assert.doesNotMatch((await owner.get(`${path}crowd19999`)).text, /type more letters/, path);
  }
  await db.query(`DELETE FROM search_term WHERE customer_id = $1 AND term LIKE 'crowd_%'`, [customerId]);
});

test('customers are listed newest first, in pages', async () => {
  const { owner } = people;
  await db.query(
    `INSERT INTO customer (id, workshop_id, name, phone, created_at, updated_at)
     SELECT new_id, $1, 'Listed ' || n, '+61491' || (570400 + n), now(), now()
       FROM (SELECT unnest($2::uuid[]) AS new_id, generate_series(1, 55) AS n) AS them`,
    [workshopId, Array.from({ length: 55 }, () => newId())],
  );
  const first = await owner.get(`${base}/customers`);
  const namesOf = (text: string) => [...text.matchAll(/Listed (\d+)/g)].map(([, n]) => Number(n));
  const next = /href="([^"]*before=[^"]*)">Next page/.exec(first.text)?.[1];
  assert.ok(next);
  const second = await owner.get(next);
  const all = [...namesOf(first.text), ...namesOf(second.text)];
  assert.equal(namesOf(first.text).length, 50);
  assert.deepEqual(
    all,
    Array.from({ length: 55 }, (_, n) => 55 - n),
  );
  assert.doesNotMatch(second.text, /Next page/);
  const masked = await people.viewer.get(`${base}/customers`);
  assert.match(masked.text, /Listed 55/);
  assert.doesNotMatch(masked.text, /tel:|491570/);
});
