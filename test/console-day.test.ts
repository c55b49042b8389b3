/** Long because it is one story. The day of a receptionist at the console, over HTTP, and what partners, customers and the trail have of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendDueTexts } from '#product/messaging/inbox/later/send-due.ts';
import { json, runHere } from './command-line/run.ts';
import { baseOf, fieldsOf, standingIn } from './fixtures/office.ts';
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

test('always: a receptionist’s morning at the desk: each step is one form, and tells whom it should, once', async () => {
  setTime('07:50', 1);
  const partner = await signedInPartner(app);
  await keepSignedIn(app);
  const workshopId = await linkedWorkshop(app, [partner], { name: 'Quay Motors' });
  const base = await baseOf(app, workshopId);
  const [ava, noor, lou] = ['+61491570156', '+61491570157', '+61491570158'] as const;
  const body = bookingBody(workshopId, {
    ...{ bookingTime: at('08:15', 1), carRego: 'AVA 001', customerName: 'Ava Nguyen', customerPhone: ava },
    skipNotification: true,
  });
  const early = (await partner.call('POST', '/bookings', body)).body.booking;
  assert.ok(early);
  const email = 'jo@quay.example';
  const person = ['--email', email, '--name', 'Jo Park', '--workshop', workshopId, '--role', 'adviser'];
  await json(['person', 'add', ...person], env, runHere);
  const { at: jo } = await signInAt(app, email, `${base}/today`);
  const textsTo = (phone: string) => app.sms.to(phone).map((sms) => sms.body);
  /** Sends the form as it stands on the page, with what is typed; resolves to the page that it leads to, with what that says. */
  const press = async (page: string, action: string, typed: Readonly<Record<string, string>> = {}) => {
    const sent = await jo.post(action, { ...standingIn((await jo.get(page)).text, action), ...typed });
    assert.equal(sent.status, 303, `${action}: ${sent.text}`);
    const to = sent.location ?? '';
    const { text } = await jo.get(to);
    return { to, text, said: /role="status">([^<]*)</.exec(text)?.[1] ?? '' };
  };
  const today = `${base}/today`;
  const bookingIn = (to: string) => /bookings\/([\da-f-]{36})/.exec(to)?.[1] ?? '';
  const stateOf = async (id: string) => {
    const [row] = await db.query<{ status: string; attendance: string | null; partnerId: string | null }>(
      `SELECT b.status, b.partner_id, a.state AS attendance FROM booking b LEFT JOIN attendance a ON a.booking_id = b.id WHERE b.id = $1`,
      [id],
    );
    return [row?.status, row?.attendance, row?.partnerId === null];
  };
  app.sms.clear();

  // Ava stands there: Here on her card, which stays on the day.
  setTime('08:20', 1);
  const card = `${base}/bookings/${early.id}/attendance`;
  const here = await press(today, card, { state: 'here' });
  assert.match(here.to, new RegExp(`/today\\?done=marked#c-${early.id}$`));
  assert.match(here.text, /1 here/);

  // A known customer calls: a free place leads to the form with its time, the registration fills in the rest, one press confirms it.
  const place = /href="([^"]*bookings\/new[^"]*)"[^>]*>(?:(?!<\/a>).)*Free place at 10:00/s;
  const free = place.exec(here.text)?.[1]?.replaceAll('&amp;', '&') ?? assert.fail('no free place at 10:00');
  const form = `${base}/bookings/new`;
  const typed = { ...standingIn((await jo.get(free)).text, form), rego: 'ava001' };
  const filled = `${form}?${new URLSearchParams(typed)}`;
  const known = await press(filled, form);
  assert.equal(known.said, 'Booked.');
  assert.match(known.text, /10:00\s*am/);
  assert.deepEqual(await stateOf(bookingIn(known.to)), ['confirmed', null, true]);
  await later();
  assert.equal(textsTo(ava).length, 1);
  assert.match(textsTo(ava)[0] ?? '', /confirmed/i);

  // A new one, with the car as its owner names it and when it is fetched.
  const fresh = await press(form, form, {
    ...{ rego: 'NOO 002', name: 'Noor Haddad', phone: '0491 570 157', date: '2027-03-31', time: '09:00' },
    ...{ make: 'Toyota', model: 'Corolla', year: '2019', pickupTime: '16:30', parts: 'Filter\nOil' },
  });
  const noors = bookingIn(fresh.to);
  assert.deepEqual(await stateOf(noors), ['confirmed', null, true]);
  assert.match(fresh.text, /2019 Toyota Corolla/);
  assert.match(fresh.text, /31 Mar 2027, 4:30/);
  await later();
  assert.equal(textsTo(noor).length, 1);

  // Somebody walks in: a registration and Here.
  const walkIn = await press(form, form, { rego: 'WLK 003', here: 'yes' });
  assert.deepEqual(await stateOf(bookingIn(walkIn.to)), ['confirmed', 'here', true]);

  // A text about Noor's booking for this afternoon: it goes then, and once.
  const about = `${base}/bookings/${noors}/message`;
  const written = standingIn((await jo.get(about)).text, about);
  const words = { message: 'Bring the key', date: '2027-03-30', time: '14:00' };
  const kept = await jo.post(`${about}/later`, { ...written, ...words });
  assert.match(kept.location ?? '', /done=scheduled$/);

  // A quote for Lou, whom nobody knows yet; and a text to a number.
  const quoting = `${base}/quotes/new`;
  const quoted = await press(quoting, quoting, {
    ...{ name: 'Lou Marsh', phone: '0491 570 158', rego: 'LOU 004', validDays: '14' },
    ...{ title1: 'Clutch', quantity1: '1', price1: '890' },
  });
  assert.match(quoted.said, /^Sent to the customer/);
  await later();
  assert.match(textsTo(lou)[0] ?? '', /\$890\.00/);
  const writing = `${base}/inbox/new`;
  const first = { phone: '0491 570 159', message: 'Your phone is here' };
  const asked = await jo.post(writing, { ...standingIn((await jo.get(writing)).text, writing), ...first });
  assert.match(asked.text, /Why may this number be texted\?/);
  const talk = await press(writing, writing, { ...first, reason: 'Left it on the counter' });
  assert.match(talk.to, /\/inbox\/[\da-f-]{36}\?done=sent$/);
  await later();
  assert.deepEqual(textsTo('+61491570159'), ['Your phone is here']);

  // Two weeks of holiday are one form, which says what lies in it.
  const closing = await press(`${base}/week`, `${base}/week/close`, {
    ...{ first: '2027-03-31', last: '2027-04-13', bays: 'all', reason: 'Holidays' },
  });
  assert.match(closing.said, /1 booking lies in it, and stays\./);

  // Ready and Collected on the card; the pressed one takes it back.
  for (const state of ['ready', 'collected']) await press(today, card, { state });
  assert.deepEqual(await stateOf(early.id), ['pending', 'collected', false]);

  setTime('14:05', 1);
  await sendDueTexts(app.context);
  await later();
  assert.deepEqual(textsTo(noor).slice(1), ['Bring the key']);
  assert.deepEqual([textsTo(ava).length, textsTo(lou).length], [1, 1]);
  const { body: listed } = await partner.call('GET', `/bookings?workshopId=${workshopId}`);
  assert.deepEqual(
    listed.bookings.map(({ id }: { id: string }) => id),
    [early.id],
    'its partner sees its own',
  );
});
