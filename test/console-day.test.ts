/** Long because it is one story. The day of a receptionist at the console, over HTTP, and what partners, customers and the trail have of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, runHere } from './command-line/run.ts';
import { baseOf, fieldsOf } from './fixtures/office.ts';
import { at } from './fixtures/places.ts';
import { keepSignedIn } from './fixtures/reminder-api.ts';
import { settledFeed } from './fixtures/settled-feed.ts';
import { signInAt, visit } from './fixtures/visit.ts';
import { startReceiver } from './fixtures/webhooks.ts';
import { startTestApp } from './harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from './harness/world.ts';

const app = await startTestApp({ config: { webhooksAllowPrivate: true } });
const { db, clock } = app.context;
/** Sets the business clock to that time of Monday 29 March 2027. */
const setTime = (time: string, day = 0) =>
  app.advance(Math.round((Date.parse(at(time, day)) - clock.now().getTime()) / 1_000));
const env = { DATABASE_URL: app.databaseUrl };
/** The time in which what was done can be taken back is over; all that follows from it happens. */
async function later() {
  await db.query(`UPDATE held_event SET held_until = clock_timestamp() - interval '1 second'`);
  await app.drain();
}

test('always: a receptionist signs in, and runs the day', async () => {
  setTime('09:10', -1);
  const partner = await signedInPartner(app);
  await keepSignedIn(app);
  const workshopId = await linkedWorkshop(app, [partner]);
  const base = await baseOf(app, workshopId);
  const receiver = await startReceiver();
  const actions = [
    'bookingCreate',
    'bookingUpdated',
    'bookingConfirmed',
    'bookingCompleted',
    'bookingCancelled',
  ];
  const hook = await partner.call('POST', '/webhooks', { url: receiver.url, actions });
  assert.equal(hook.status, 201, JSON.stringify(hook.body));
  const byPartner = async (time: string, rego: string) => {
    const body = bookingBody(workshopId, { bookingTime: at(time), carRego: rego });
    return (await partner.call('POST', '/bookings', body)).body.booking;
  };
  const theirs = await byPartner('08:00', 'ABC 123');
  const wrong = await byPartner('11:00', 'WRG 111');
  await app.drain();

  // Sign in by a code that the operator prints.
  const email = 'kim@harbour.example';
  await json(
    ['person', 'add', '--email', email, '--name', 'Kim Lee', '--workshop', workshopId, '--role', 'adviser'],
    env,
    runHere,
  );
  const nobody = await visit(app).get(`${base}/today`);
  assert.match(nobody.location ?? '', /^\/console\/sign-in/);
  const { at: kim, location } = await signInAt(app, email, `${base}/today?date=2027-03-29`);
  assert.equal(location, `${base}/today?date=2027-03-29`);
  const today = () => kim.get(`${base}/today`).then(({ text }) => text);
  const submit = async (page: string, action: string, typed: Readonly<Record<string, string>> = {}) => {
    const shown = await kim.get(page);
    const sent = await kim.post(action, { ...fieldsOf(shown.text, action), ...typed });
    assert.equal(sent.status, 303, `${action}: ${sent.text}`);
    return sent.location ?? '';
  };
  const readTheirs = async ({ id }: { readonly id: string }) =>
    (await partner.call('GET', `/bookings/${id}`)).body.booking;

  // Somebody calls: their registration says who they are. Booked.
  const known = await kim.get(`${base}/bookings/new?rego=abc123`);
  assert.match(known.text, /value="Sam Taylor"/);
  assert.match(known.text, /491 ?570 ?006/);
  const booked = await submit(`${base}/bookings/new?rego=abc123`, `${base}/bookings/new`, {
    ...{ rego: 'ABC 123', name: 'Sam Taylor', phone: '0491 570 006', tell: 'yes' },
    ...{ date: '2027-03-30', time: '09:00', notes: 'Squeaks' },
  });
  assert.match((await kim.get(booked)).text, /Booked\./);
  await app.drain();
  assert.equal(receiver.received.length, 2, 'a booking of its own is no partner’s');
  app.sms.clear();

  // Confirmed: nobody is notified while it can be undone.
  const path = `${base}/bookings/${theirs.id}`;
  await submit(path, `${path}/confirm`, { tell: 'yes' });
  await app.drain();
  assert.deepEqual([app.sms.sent.length, receiver.received.length], [0, 2]);
  await later();
  assert.deepEqual([app.sms.sent.length, receiver.received.length], [1, 3]);

  // Its partner moves it.
  const moved = await partner.call('PUT', `/bookings/${theirs.id}`, { date: at('09:00') });
  assert.equal(moved.status, 200, JSON.stringify(moved.body));
  await app.drain();
  assert.match((await kim.get(path)).text, /Partner Example Fleet<\/strong> changed it/);

  // The next morning: late, then here.
  setTime('09:05');
  assert.doesNotMatch(await today(), /1 late/);
  setTime('09:30');
  assert.match(await today(), /1 late/);
  await submit(path, `${path}/attendance`, { state: 'here' });
  assert.match(await today(), /1 here/);
  assert.doesNotMatch(await today(), /1 late/);

  // A slip of the mouse cancels another one: undone, as if nothing had been.
  app.sms.clear();
  app.email.clear();
  const slip = `${base}/bookings/${wrong.id}`;
  const cancelled = await submit(`${slip}/cancel`, `${slip}/cancel`, { tell: 'yes', reason: 'Wrong line' });
  await app.drain();
  assert.equal((await readTheirs(wrong)).status, 'cancelled');
  await submit(cancelled, `${slip}/undo`);
  await later();
  const after = await readTheirs(wrong);
  assert.deepEqual([after.status, after.cancelReason], ['pending', null]);
  assert.deepEqual([app.sms.sent.length, app.email.sent.length], [0, 0]);

  // Ready: the text goes; collected, completed.
  const before = await readTheirs(theirs);
  await submit(path, `${path}/ready`, { tell: 'yes' });
  await app.drain();
  assert.equal(app.sms.sent.length, 0);
  await later();
  assert.deepEqual(
    app.sms.sent.map(({ to, body }) => [to, /ready/i.test(body)]),
    [['+61491570006', true]],
  );
  await submit(path, `${path}/attendance`, { state: 'collected' });
  assert.deepEqual(await readTheirs(theirs), before, 'its row knows nothing of attendance');
  await submit(path, `${path}/complete`);
  await later();
  assert.equal((await readTheirs(theirs)).status, 'completed');

  // What its partner has heard of, by webhook and by the feed alike.
  const heard = [
    [theirs.id, 'bookingCreate'],
    [wrong.id, 'bookingCreate'],
    [theirs.id, 'bookingConfirmed'],
    [theirs.id, 'bookingUpdated'],
    [wrong.id, 'bookingUpdated'],
    [theirs.id, 'bookingCompleted'],
  ].toSorted();
  assert.deepEqual(receiver.received.map(({ body }) => [body.booking.id, body.action]).toSorted(), heard);
  await settledFeed(db, 'partner_event');
  const feed = await partner.call('GET', '/events?limit=200');
  assert.deepEqual(
    feed.body.events
      .map((event: { action: string; booking: { id: string } }) => [event.booking.id, event.action])
      .toSorted(),
    heard,
  );

  // The trail tells all of it, with names.
  const told = async (page: string) => {
    const { text } = await kim.get(page);
    const said = text.slice(text.indexOf('<h2>What changed</h2>'));
    return [...said.matchAll(/<li><strong>([^<]+)<\/strong> ([^<]+) </g)]
      .map((each) => `${each[1]} ${each[2]}`)
      .toReversed();
  };
  assert.deepEqual(await told(path), [
    'Partner Example Fleet made it',
    'Kim Lee confirmed it',
    'Partner Example Fleet changed it',
    'Kim Lee marked the attendance',
    'Kim Lee said that the car is ready',
    'Kim Lee marked the attendance',
    'Kim Lee completed it',
  ]);
  assert.deepEqual(await told(slip), [
    'Partner Example Fleet made it',
    'Kim Lee cancelled it',
    'Kim Lee changed it',
  ]);
  assert.match((await kim.get(slip)).text, /status: cancelled → pending/);
});
