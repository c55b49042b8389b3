/** Long because its tests share one office, whose start takes a second. Bookings that staff write and change in the browser: what is known is filled in, what would be texted is shown, what was done is taken back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { parsePhone } from '#base/values/phone.ts';
import { measureSms } from '#base/values/sms-text.ts';
import { importWorkshop, writeSetup } from '#product/availability/set-up/import.ts';
import { defaultSettings } from '#product/availability/set-up/setup.ts';
import { baseOf, fieldsOf, peopleOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
// Monday 4 March 2030, 8:10 in Melbourne.
app.clock.setAdvance(Math.round((Date.parse('2030-03-03T21:10:00Z') - Date.now()) / 1_000));
const { db } = app.context;
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const settings = { ...defaultSettings, bays: 1, enforceAvailability: true };
await db.transaction((tx) => writeSetup(tx, workshopId, { settings }, app.clock.now()));
const { owner, adviser, technician } = await peopleOf(app, workshopId);
const base = await baseOf(app, workshopId);
const page = `${base}/bookings/new`;

/** Writes a booking; returns its id. */
async function write(typed: Readonly<Record<string, string>>): Promise<string> {
  const { status, location, text } = await owner.submit(page, page, { date: '2030-03-04', ...typed });
  assert.equal(status, 303, text);
  return /bookings\/([\da-f-]{36})/.exec(location ?? '')?.[1] ?? '';
}
const rowOf = async (id: string) =>
  (
    await db.query<{ status: string; date: Date; contactPhone: string | null; anywayReason: string | null }>(
      'SELECT status, date, contact_phone, anyway_reason FROM booking WHERE id = $1',
      [id],
    )
  )[0];
const smsTo = async (phone: string) =>
  (
    await db.query<{ body: string }>(`SELECT body FROM message WHERE recipient = $1 AND channel = 'sms'`, [
      phone,
    ])
  ).map(({ body }) => body);

test('a name alone is enough for a walk-in; neither name nor registration is refused, and what was typed stays', async () => {
  const id = await write({ time: '09:00', name: 'Walter' });
  assert.equal((await rowOf(id))?.contactPhone, null);
  const { text } = await owner.get(`${base}/bookings/${id}`);
  assert.match(text, /not given/);
  const refused = await owner.submit(page, page, { date: '2030-03-04', time: '10:00', notes: 'A red one' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /A red one/);
});

test("always: Confirmed is checked at first, and makes the booking confirmed by one event and with one text; unchecked it waits (specification: The workshop's own bookings 10)", async () => {
  const box = /name="confirmed" value="yes" checked/;
  assert.match((await owner.get(page)).text, box);
  assert.match((await owner.get(`${page}?at=2030-03-07T22:00:00Z`)).text, box);
  assert.doesNotMatch((await owner.get(`${page}?asked=yes&name=Una`)).text, box);
  const typed = { date: '2030-03-08', name: 'Una Sure', phone: '0491570313', tell: 'yes' };
  const sure = await write({ ...typed, time: '09:00', confirmed: 'yes' });
  await app.drain();
  assert.equal((await rowOf(sure))?.status, 'confirmed');
  const events = await db.query<{ kind: string; status: string }>(
    `SELECT kind, payload->'booking'->>'status' AS status FROM event WHERE subject_id = $1`,
    [sure],
  );
  assert.deepEqual(events, [{ kind: 'booking.created', status: 'confirmed' }]);
  const texts = await smsTo('+61491570313');
  assert.equal(texts.length, 1);
  assert.match(texts[0] ?? '', / is confirmed\. /);
  const waits = await write({ ...typed, time: '10:00' });
  await app.drain();
  assert.equal((await rowOf(waits))?.status, 'pending');
  assert.match((await smsTo('+61491570313'))[1] ?? '', /we have received/);
});

test("always: a walk-in who is here begins at the next quarter of an hour, marked Here in the same commit; never on another day (specification: The workshop's own bookings 12)", async () => {
  const attendance = async (id: string) =>
    (await db.query<{ state: string }>('SELECT state FROM attendance WHERE booking_id = $1', [id]))[0]?.state;
  const dateless = { rego: 'HERE01', date: '', confirmed: 'yes' };
  const shown = await owner.get(`${page}?here=yes`);
  assert.match(shown.text, /name="here" value="yes"[^>]* checked/);
  assert.match(shown.text, /id="time"[^>]*value="08:(?:15|30)"/);
  assert.doesNotMatch((await owner.get(page)).text, /name="here" value="yes"[^>]* checked/);
  const anyway = { anyway: 'yes', reason: 'Stands here' };
  const id = await write({ ...dateless, ...anyway, here: 'yes' });
  const at = (await rowOf(id))?.date.getTime() ?? 0;
  const waitMs = at - app.context.clock.now().getTime();
  assert.ok(at % 900_000 === 0 && waitMs > -60_000 && waitMs <= 900_000, String(waitMs));
  assert.equal(await attendance(id), 'here');
  assert.match(
    (await owner.get(`${base}/bookings/${id}`)).text,
    /attendance: expected → here|● ?<\/span> Here/,
  );
  const later = { ...dateless, date: '2030-03-07', time: '09:00', here: 'yes' };
  const refused = await owner.submit(page, page, later);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /<a href="#here">Here is for a time of today/);
  const timeless = await owner.submit(page, page, { ...dateless, date: '2030-03-07' });
  assert.equal(timeless.status, 422);
  assert.match(timeless.text, /<a href="#time">Time /);
});

test("a known registration fills the rest in, of several customers it asks which; the text is shown before it goes (specification: The workshop's own bookings 11; The front desk 10)", async () => {
  for (const [customerName, customerPhone, bookingTime] of [
    ['Ann Known', '0491570110', '2030-03-11T22:30:00Z'],
    ['Bob Known', '0491570111', '2030-03-12T22:30:00Z'],
  ])
    await partner.call(
      'POST',
      '/bookings',
      bookingBody(workshopId, {
        customerName,
        customerPhone,
        carRego: 'TWO22',
        bookingTime,
        skipNotification: true,
      }),
    );
  await partner.call(
    'POST',
    '/bookings',
    bookingBody(workshopId, {
      customerName: 'Cat Known',
      customerPhone: '0491570156',
      carRego: 'ONE11',
      bookingTime: '2030-03-13T22:30:00Z',
      skipNotification: true,
    }),
  );
  const two = await adviser.get(`${page}?rego=two+22`);
  assert.match(two.text, /Which customer\?.*Ann Known|Which customer\?.*Bob Known/s);
  const one = await adviser.get(`${page}?rego=one11&date=2030-03-04&time=10:00`);
  assert.match(one.text, /value="Cat Known"/);
  assert.match(one.text, /value="0491 570 156"/);
  const shown = /<blockquote class="sms"><p class="message">([^<]*)/.exec(one.text)?.[1] ?? '';
  assert.match(shown, /Mon 4 Mar 2030, 10:00 am/);
  assert.match(shown, /booking \[code\] .*is confirmed\./);
  assert.match(one.text, /[12] segments?; the code is made with the booking/);
  const timeless = (await adviser.get(`${page}?rego=one11`)).text;
  assert.match(timeless, /The text shows here once a time is chosen/);
  assert.doesNotMatch(timeless, /12:00 am|··/);
  const typed = {
    rego: 'ONE11',
    name: 'Cat Known',
    phone: '+61491570156',
    date: '2030-03-04',
    time: '10:00',
  };
  const made = await adviser.submit(`${page}?rego=one11`, page, { ...typed, tell: 'yes', confirmed: 'yes' });
  assert.equal(made.status, 303, made.text);
  await app.drain();
  const [sent = ''] = await smsTo('+61491570156');
  assert.equal(sent.replace(/booking [\dA-Z]{8} /, 'booking [code] '), shown);
  assert.equal(measureSms(sent).segments, Number(/(\d) segments?; the code/.exec(one.text)?.[1]));
  // Asked from the start, since the number may be filled in after the page was made.
  assert.match((await adviser.get(page)).text, /name="tell" value="yes" checked/);
  // Who may not see the number finds none in the page, and the customer is told all the same.
  const blind = await signedInPerson(app, [workshopId], 'adviser', { seesPhones: false });
  const masked = `${page}?rego=one11`;
  assert.doesNotMatch((await blind.get(masked)).text, /491570156|491 570 156/);
  const unseen = await blind.submit(masked, page, {
    rego: 'ONE11',
    name: 'Cat Known',
    date: '2030-03-04',
    time: '10:30',
    tell: 'yes',
  });
  const id = /bookings\/([\da-f-]{36})/.exec(unseen.location ?? '')?.[1] ?? assert.fail(unseen.text);
  assert.equal((await rowOf(id))?.contactPhone, '+61491570156');
  const theirs = await linkedWorkshop(app, [], { name: 'Elsewhere' });
  const { owner: stranger } = await peopleOf(app, theirs);
  assert.doesNotMatch(
    (await stranger.get(`${await baseOf(app, theirs)}/bookings/new?rego=ONE11`)).text,
    /Cat Known/,
  );
});

test('always: a corrected registration, and another of several customers, take the place of who was found before (specification: The front desk 10)', async () => {
  const known = async (customerName: string, customerPhone: string, carRego: string) => {
    const given = { customerName, customerPhone, carRego, skipNotification: true };
    const made = await partner.call('POST', '/bookings', bookingBody(workshopId, given));
    assert.equal(made.status, 201);
    return {
      customer: made.body.booking.customerId,
      name: customerName,
      phone: made.body.booking.customer.phone,
    };
  };
  const ann = await known('Ann First', '0491570801', 'FIRST1');
  const ben = await known('Ben Second', '0491570802', 'SECND2');
  const cat = await known('Cat Third', '0491570803', 'SECND2');
  const shown = async (typed: Readonly<Record<string, string>>, path = page) => {
    const { text } = await adviser.get(`${path}?${new URLSearchParams(typed)}`);
    const of = (name: string) => new RegExp(`name="${name}"[^>]*? value="([^"]*)"`).exec(text)?.[1] ?? '';
    return { text, phone: parsePhone(of('phone'), 'AU') ?? '', name: of('name'), foundFor: of('foundFor') };
  };
  for (const path of [page, `${base}/quotes/new`]) {
    const first = await shown({ rego: 'first1' }, path);
    assert.deepEqual([first.phone, first.name, first.foundFor], [ann.phone, ann.name, 'FIRST1']);
    // The form as it is sent once it was filled in, with another registration.
    const corrected = await shown({ ...ann, rego: 'secnd2', foundFor: 'FIRST1', notes: 'Squeaks' }, path);
    assert.deepEqual([corrected.phone, corrected.name], ['', '']);
    assert.match(corrected.text, />\nSqueaks</);
    assert.doesNotMatch(corrected.text, new RegExp(ann.customer));
  }
  const between = await shown({ rego: 'secnd2' });
  assert.match(between.text, /Which customer\?/);
  const chosen = { rego: 'secnd2', foundFor: between.foundFor, ...ben };
  for (const { customer, name, phone } of [ben, cat]) {
    const its = await shown({ ...chosen, customer });
    assert.deepEqual([its.phone, its.name, its.foundFor], [phone, name, 'SECND2']);
    assert.match(its.text, /Which customer\?/);
  }
  // A number that is not theirs is somebody else's, who has bought the car perhaps.
  const bought = await shown({ rego: 'first1', phone: '0491 570 804' });
  assert.deepEqual([bought.phone, bought.name], ['+61491570804', '']);
  assert.match(
    bought.text,
    /Ann First<[\s\S]*has come with this car\. With another number it is another customer/,
  );
  assert.doesNotMatch(bought.text, new RegExp(`Known: |value="${ann.customer}"`));
  // What was typed over stays, and who was chosen on their own page does.
  assert.equal((await shown({ ...chosen, ...cat, name: 'Kit' })).name, 'Kit');
  const theirs = await shown({ customer: ann.customer, rego: 'FIRST1' });
  assert.deepEqual([theirs.name, theirs.foundFor], [ann.name, '']);
  assert.equal((await shown({ ...ann, rego: 'NEW001' })).name, ann.name);
});

test('a customer who has opted out, or whose e-mails come back, is shown no text that would not go', async () => {
  const given = { customerName: 'Opal Out', customerPhone: '0491570313', customerEmail: 'opal@out.example' };
  const body = bookingBody(workshopId, { ...given, carRego: 'OUT313', skipNotification: true });
  assert.equal((await partner.call('POST', '/bookings', body)).status, 201);
  const open = async () => (await adviser.get(`${page}?rego=out313&date=2030-03-04&time=10:00`)).text;
  assert.match(await open(), /<blockquote class="sms">[\s\S]*An e-mail goes too/);
  await app.context.db.query(
    `UPDATE customer SET opted_out_at = now(), bounced_email = 'Opal@out.example', email_bounced_at = now()
      WHERE workshop_id = $1 AND phone = '+61491570313'`,
    [workshopId],
  );
  const shown = await open();
  assert.match(shown, /No SMS goes: the customer has opted out of SMS\./);
  assert.doesNotMatch(shown, /<blockquote class="sms">|An e-mail goes/);
});

test('a time that is taken: the reason, other times as buttons, and Book anyway with its reason', async () => {
  await write({ time: '11:00', rego: 'FULL1' });
  const typed = { date: '2030-03-04', time: '11:00', rego: 'FULL2' };
  const refused = await owner.submit(page, page, typed);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /name="at" value="2030-/);
  assert.match(refused.text, /<label for="reason">Reason<\/label>/);
  const short = await owner.submit(page, page, { ...typed, anyway: 'yes', reason: 'x' });
  assert.equal(short.status, 422);
  assert.match(short.text, /href="#reason">Reason must say why/);
  assert.match(short.text, /id="reason"[^>]*value="x".*>Book anyway</s);
  const id = await write({ ...typed, anyway: 'yes', reason: 'Waits for it' });
  assert.equal((await rowOf(id))?.anywayReason, 'Waits for it');
  assert.match((await owner.get(`${base}/bookings/${id}`)).text, /Booked anyway: Waits for it/);
});

test("a time that clocks skip is refused, and of one that they show twice it is asked which, also of a move (specification: The workshop's own bookings 20)", async () => {
  const typed = { rego: 'CLOCK1', anyway: 'yes', reason: 'Both clocks' };
  const skipped = await owner.submit(page, page, { ...typed, date: '2030-10-06', time: '02:30' });
  assert.equal(skipped.status, 422);
  assert.match(skipped.text, /href="#time">Time is skipped that day/);
  const twice = await owner.submit(page, page, { ...typed, date: '2030-04-07', time: '02:30' });
  assert.equal(twice.status, 422);
  assert.match(twice.text, /name="which" value="first"/);
  const id = await write({ ...typed, date: '2030-04-07', time: '02:30', which: 'second' });
  assert.equal((await rowOf(id))?.date.toISOString(), '2030-04-06T16:30:00.000Z');
  const path = `${base}/bookings/${id}`;
  const move = (time: object) => owner.submit(`${path}/move`, `${path}/move`, { ...typed, ...time });
  assert.match(
    (await move({ date: '2030-10-06', time: '02:30' })).text,
    /href="#time">Time is skipped that day/,
  );
  assert.equal((await move({ date: '2030-04-07', time: '02:30', which: 'first' })).status, 303);
  assert.equal((await rowOf(id))?.date.toISOString(), '2030-04-06T15:30:00.000Z');
  const edited = await owner.submit(`${path}/edit`, `${path}/edit`, {
    ...{ pickupDate: '2030-10-06', pickupTime: '02:30' },
  });
  assert.match(edited.text, /href="#pickupTime">Pick-up is skipped that day/);
});

test('a wrong cancellation is undone: nobody is notified; by somebody else, or too late, it stays', async () => {
  const phone = '+61491570157';
  const id = await write({ time: '13:00', rego: 'UNDO1', phone, name: 'Una Do', tell: '' });
  const path = `${base}/bookings/${id}`;
  const cancelled = await owner.submit(`${path}/cancel`, `${path}/cancel`, {
    tell: 'yes',
    reason: 'Wrong line',
  });
  assert.equal(cancelled.location, `${path}?done=cancelled`);
  assert.equal((await rowOf(id))?.status, 'cancelled');
  assert.doesNotMatch((await adviser.get(path)).text, /<button class="button quiet">Undo/);
  const fields = fieldsOf((await owner.get(path)).text, `${path}/undo`);
  assert.notEqual((await adviser.post(`${path}/undo`, { ...fields, key: 'k'.repeat(20) })).status, 303);
  const undone = await owner.post(`${path}/undo`, fields);
  assert.equal(undone.location, `${path}?done=undone`);
  assert.equal((await rowOf(id))?.status, 'pending');
  await app.drain();
  assert.deepEqual(await smsTo(phone), []);
  // The back button, and a reload: the first answer.
  assert.equal((await owner.post(`${path}/undo`, fields)).location, undone.location);
});

test('moved, and later moved back by hand; a cancelled one leads to a new booking filled in alike', async () => {
  const id = await write({ time: '14:00', rego: 'BACK1', name: 'Bea Back' });
  const path = `${base}/bookings/${id}`;
  const moved = await owner.submit(`${path}/move`, `${path}/move`, { date: '2030-03-05', time: '09:00' });
  assert.equal(moved.status, 303, moved.text);
  await db.query("UPDATE held_event SET held_until = clock_timestamp() - interval '1 second'");
  await app.drain();
  const { text } = await owner.get(path);
  const back = /href="([^"]*\/move\?at=[^"]*)">Put it back/.exec(text)?.[1] ?? '';
  assert.match((await owner.get(back.replaceAll('&amp;', '&'))).text, /value="2030-03-04".*value="14:00"/s);
  await owner.submit(`${path}/cancel`, `${path}/cancel`);
  await db.query("UPDATE held_event SET held_until = clock_timestamp() - interval '1 second'");
  await app.drain();
  assert.match((await owner.get(`${page}?like=${id}`)).text, /value="BACK1"/);
  assert.match((await owner.get(path)).text, /bookings\/new\?like=[^"]*">Put it back/);
});

test('an address fills the form of Move in, and changes nothing; what clocks skip is said at once', async () => {
  const id = await write({ time: '09:30', date: '2030-03-19', rego: 'FILL1' });
  const path = `${base}/bookings/${id}/move`;
  const filled = await adviser.get(`${path}?at=2030-03-19T23:15:00.000Z`);
  assert.match(filled.text, /value="2030-03-20".*value="10:15"/s);
  const skipped = await adviser.get(`${path}?at=2030-10-04T16:30:00Z&days=1`);
  assert.equal(skipped.status, 422);
  assert.match(skipped.text, /<a href="#time">Time is skipped that day/);
  assert.equal((await rowOf(id))?.date.toISOString(), '2030-03-18T22:30:00.000Z');
  assert.equal((await technician.get(`${path}?at=2030-03-19T23:15:00Z`)).status, 403);
});

test('the form of Move asks whether the customer is told before a time is chosen, and a cleared box stays cleared', async () => {
  const id = await write({ time: '13:00', date: '2030-03-20', rego: 'TELL1', phone: '0491570156' });
  const path = `${base}/bookings/${id}/move`;
  const box = /<input type="checkbox" id="tell-move"[^>]*?( checked)?>/;
  const opened = (await owner.get(path)).text;
  assert.equal(box.exec(opened)?.[1], ' checked', opened);
  assert.match(opened, /The text shows here once another day or time is chosen/);
  const chosen = (await owner.get(`${path}?date=2030-03-20&time=14:00&version=1`)).text;
  assert.match(chosen, /has moved to/);
  assert.equal(box.exec(chosen)?.[1], undefined, 'sent by the form, without the box');
  const refused = await owner.submit(path, path, { date: '2030-03-20', time: '25:00' });
  assert.deepEqual([refused.status, box.exec(refused.text)?.[1]], [422, undefined]);
  const away = await write({ time: '13:00', date: '2030-03-21', rego: 'TELL2' });
  assert.doesNotMatch((await owner.get(`${base}/bookings/${away}/move`)).text, box);
});

test('a fault stands at its field and leads there: of a new time, of a pick-up, of the reason of Book anyway', async () => {
  const id = await write({ time: '16:00', rego: 'FAULT1' });
  await write({ time: '16:30', rego: 'FAULT2' });
  const path = `${base}/bookings/${id}`;
  for (const [form, typed, name] of [
    ['move', { date: '2030-03-05', time: '25:00' }, 'time'],
    ['move', { date: '2030-03-04', time: '16:30', anyway: 'yes', reason: 'x' }, 'reason'],
    ['edit', { pickupDate: '2030-03-05' }, 'pickupTime'],
    ['edit', { year: 'old' }, 'year'],
  ] as const) {
    const { status, text } = await owner.submit(`${path}/${form}`, `${path}/${form}`, typed);
    assert.equal(status, 422, text);
    assert.match(text, new RegExp(`<a href="#${name}">`));
    assert.match(text, new RegExp(`<p class="error" id="${name}-error">`));
  }
});

test('who sees no phones edits the rest: a name, notes or service with a phone in it is not in the form, and stays', async () => {
  const [name, notes, service] = ['Ann 0491 570 156', 'Ring ann@mail.example', 'Call 0491 570 157 first'];
  const id = await write({ date: '2030-03-05', time: '15:00', name, notes, service });
  const path = `${base}/bookings/${id}`;
  const blind = await signedInPerson(app, [workshopId], 'adviser', { seesPhones: false });
  const { text } = await blind.get(`${path}/edit`);
  assert.match(text, /name="rego"/);
  assert.doesNotMatch(text, /name="(?:name|notes|service|phone|email)"/);
  assert.doesNotMatch(text, /0491|mail\.example/);
  // As a form that somebody has put together.
  const crafted = {
    rego: 'NEW1',
    name: 'Ann …',
    notes: 'Ring …',
    service: 'Call …',
    phone: '0491570158',
  };
  const saved = await blind.submit(`${path}/edit`, `${path}/edit`, crafted);
  assert.equal(saved.status, 303, saved.text);
  const [row] = await db.query<Record<string, unknown>>(
    `SELECT contact_name AS name, contact_phone AS phone, notes, services -> 0 ->> 'title' AS service, k.rego
       FROM booking b JOIN car k ON k.id = b.car_id WHERE b.id = $1`,
    [id],
  );
  assert.deepEqual(row, { name, phone: null, notes, service, rego: 'NEW1' });
  assert.match((await owner.get(`${path}/edit`)).text, /name="notes"/);
});

test('a technician marks the car and completes, and may neither move nor cancel', async () => {
  const id = await write({ time: '15:00', rego: 'TECH1' });
  const path = `${base}/bookings/${id}`;
  const { text } = await technician.get(path);
  assert.match(text, /<legend>Attendance<\/legend>/);
  assert.doesNotMatch(text, />Move<|>Cancel booking<|>Confirm</);
  assert.equal((await technician.submit(path, `${path}/attendance`, { state: 'here' })).status, 303);
  assert.match((await technician.get(path)).text, /value="here" aria-pressed="true"/);
  // Who has seen another state overwrites nothing; to say what is so already is no fault.
  const stale = fieldsOf(text, `${path}/attendance`);
  const late = await adviser.post(`${path}/attendance`, {
    ...stale,
    key: 'l'.repeat(20),
    state: 'didNotCome',
  });
  assert.equal(late.status, 422);
  assert.match(
    late.text,
    new RegExp(
      `Somebody changed this meanwhile[\\s\\S]*<ul><li><strong>${technician.name}</strong> marked the attendance[\\s\\S]*?</ul>[\\s\\S]*value="here" aria-pressed="true"`,
    ),
  );
  assert.doesNotMatch(/Somebody changed[\s\S]*?<\/ul>/.exec(late.text)?.[0] ?? '', /made it/);
  const same = await adviser.post(`${path}/attendance`, { ...stale, key: 's'.repeat(20), state: 'here' });
  assert.equal(same.status, 303);
  assert.equal((await technician.submit(path, `${path}/attendance`, { state: 'flying' })).status, 422);
  assert.equal((await technician.get(`${path}/move`)).status, 403);
});

test('a text is shown with what can be stored alone: not with a registration, a name or a reason that is refused', async () => {
  const typed = { date: '2030-03-04', time: '15:00', phone: '0491570156', notes: 'A red one' };
  const toldOf = (text: string) => /id="told-new">(.*?)<\/div>/s.exec(text)?.[1] ?? '';
  for (const wrong of [{ rego: 'R'.repeat(33) }, { name: 'N'.repeat(256) }, { other: 'O'.repeat(256) }]) {
    const [[field = '', value = ''] = []] = Object.entries(wrong);
    const refused = await owner.submit(page, page, { ...typed, rego: 'ABC123', ...wrong });
    assert.equal(refused.status, 422);
    assert.match(refused.text, new RegExp(`name="${field === 'other' ? 'service' : field}"[^>]*${value}`));
    assert.match(toldOf(refused.text), /shows here once/);
    assert.match(refused.text, /A red one/);
    const asked = await owner.get(`${page}?${new URLSearchParams({ ...typed, ...wrong })}`);
    assert.match(toldOf(asked.text), /shows here once/);
  }
  const right = await owner.get(`${page}?${new URLSearchParams({ ...typed, rego: 'abc 123' })}`);
  assert.match(toldOf(right.text), /class="sms"/);
  const cancel = `${base}/bookings/${await write({ ...typed, date: '2030-03-06', time: '11:00', rego: 'CAN123' })}/cancel`;
  const refused = await owner.submit(cancel, cancel, { reason: 'Z'.repeat(501), tell: 'yes' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, />\nZ{501}<\/textarea>/);
  assert.match(refused.text, /shows here once the reason can be stored/);
});

test("where nothing is enforced a closed, full, short or past time is said before, in Free times and the form, and once more after (specification: The workshop's own bookings 9)", async () => {
  const theirs = await linkedWorkshop(app, []);
  const free = { ...defaultSettings, bays: 1, enforceAvailability: false, leadTimeMinutes: 120 };
  const custom = [{ date: '2030-03-12', hours: [], bays: null, pickupTimes: null, note: 'Show day' }];
  await db.transaction((tx) => writeSetup(tx, theirs, { settings: free, custom }, app.clock.now()));
  const { owner: boss } = await peopleOf(app, theirs);
  const [home, name] = [await baseOf(app, theirs), (n: number) => ({ name: `Walter ${n}` })];
  const form = `${home}/bookings/new`;
  const said = async (query: object, path = form) => {
    const { text } = await boss.get(`${path}?${new URLSearchParams({ ...query })}`);
    const notices = [...text.matchAll(/<p class="notice">([^<]*)<\/p>/g)].map(([, words]) => words);
    assert.equal(new Set(notices).size, notices.length === 0 ? 0 : 1, notices.join('\n'));
    assert.ok(notices.length === 0 || notices.length === 2, 'in the form and in Free times');
    return notices[0]?.replaceAll('&quot;', '"') ?? null;
  };
  const make = async (typed: Record<string, string>) => {
    const { status, location, text } = await boss.submit(form, form, typed);
    assert.equal(status, 303, text);
    const path = (location ?? '').replace(/\?.*/, '');
    const done = /role="status">([^<]*)</.exec((await boss.get(location ?? '')).text)?.[1];
    return { path, done };
  };
  const sunday = { date: '2030-03-10', time: '10:00' };
  assert.equal(await said(sunday), 'Closed on Sundays. It can be booked all the same.');
  assert.equal(await said({ date: '2030-03-10' }), 'Closed on Sundays. It can be booked all the same.');
  assert.equal(await said({ date: '2030-03-11', time: '09:00' }), null);
  assert.equal(await said({ date: '2030-03-11' }), null);
  assert.match(
    (await said({ date: '2030-03-11', time: '05:00' })) ?? '',
    /^Open \d\d:\d\d to \d\d:\d\d that day\./,
  );
  assert.match((await said({ date: '2030-03-12', time: '09:00' })) ?? '', /^Closed that day: Show day\./);
  assert.match(
    (await said({ date: '2030-03-04', time: '09:00' })) ?? '',
    /^At shorter notice than 2 hours\./,
  );
  assert.match(
    (await said({ date: '2030-03-04', time: '08:00' })) ?? '',
    /^That time has begun already\. It can be/,
  );
  assert.match(
    (await said({ date: '2030-03-01' })) ?? '',
    /^That day is past\. It is booked with “Book anyway” alone/,
  );

  const closed = await make({ ...sunday, ...name(1) });
  assert.equal(closed.done, 'Booked. Closed on Sundays: booked all the same.');
  const usual = { date: '2030-03-11', time: '09:00' };
  assert.equal((await make({ ...usual, ...name(2) })).done, 'Booked.');
  assert.match((await said(usual)) ?? '', /^2 of 1 bay\. It can be booked/);
  assert.equal((await make({ ...usual, ...name(3) })).done, 'Booked. 2 of 1 bay: booked all the same.');
  assert.equal(
    (await make({ date: '2030-03-04', time: '08:00', ...name(4) })).done,
    'Booked. That time has begun already: booked all the same.',
  );

  const move = `${closed.path}/move`;
  assert.equal(await said({}, move), null, 'where it is nothing is against it');
  assert.match((await said(usual, move)) ?? '', /^3 of 1 bay\. It can be moved all the same\./);
  const moved = await boss.submit(move, move, usual);
  assert.match(
    (await boss.get(moved.location ?? '')).text,
    /role="status">Moved\. 3 of 1 bay: moved all the same\./,
  );
  assert.doesNotMatch((await boss.get(`${closed.path}?done=booked&against=nonsense`)).text, /all the same/);

  for (const [at, typed] of [
    [form, { date: '2030-03-01', time: '09:00', ...name(5) }],
    [move, { date: '2030-03-01', time: '09:00' }],
  ] as const) {
    const refused = await boss.submit(at, at, typed);
    assert.equal(refused.status, 422);
    assert.match(refused.text, /That day is past.*>Book anyway</s);
    const anyway = await boss.submit(at, at, { ...typed, anyway: 'yes', reason: 'Written down late' });
    assert.equal(anyway.status, 303, anyway.text);
    assert.match((await boss.get(anyway.location ?? '')).text, /Booked anyway: Written down late/);
  }
});

test('services that run longer say in Edit what is then against the time, before and once more after', async () => {
  const theirs = await linkedWorkshop(app, []);
  const service = { category: 'service', cost: 99, maxCost: null, icon: 'x', color: 'blue' };
  const services = [
    { ...service, catalogCode: 'short', title: 'Oil', dailyLimit: null, durationMinutes: 30 },
    { ...service, catalogCode: 'long', title: 'Clutch', dailyLimit: null, durationMinutes: 300 },
  ];
  const set = { ...defaultSettings, bays: 1, enforceAvailability: false };
  const sections = { workshopId: theirs, settings: set, services };
  await importWorkshop({ db, clock: app.clock }, JSON.stringify(sections), actors.operator);
  const { owner: boss } = await peopleOf(app, theirs);
  const form = `${await baseOf(app, theirs)}/bookings/new`;
  const at = async (time: string) => {
    const typed = { date: '2030-03-11', time, service: 'short', name: `Walter ${time}` };
    const { location } = await boss.submit(form, form, typed);
    return (location ?? '').replace(/\?.*/, '');
  };
  const [late] = [await at('16:30'), await at('10:00')];
  const edit = `${late}/edit`;
  const said = async (query: string) =>
    /<div id="time-said">(?:<p class="notice">([^<]*)<\/p>)?<\/div>/.exec(
      (await boss.get(`${edit}?${query}`)).text,
    )?.[1];
  assert.equal(await said(''), undefined);
  assert.equal(await said('service=short'), undefined, 'what it has');
  assert.match(
    (await said('service=long')) ?? '',
    /^Not done by closing time, 17:00\. It can be saved all the same\.$/,
  );
  const saved = await boss.submit(edit, edit, { service: 'long' });
  assert.equal(saved.status, 303, saved.text);
  assert.match(
    (await boss.get(saved.location ?? '')).text,
    /role="status">Saved\. Not done by closing time, 17:00: saved all the same\./,
  );
  const other = `${await at('09:00')}/edit`;
  const over = await boss.submit(other, other, { service: 'long' });
  assert.match((await boss.get(over.location ?? '')).text, /Saved\. 2 of 1 bay: saved all the same\./);
  const same = await boss.submit(other, other, { service: 'long', notes: 'Blue' });
  assert.equal(same.location, `${other.replace('/edit', '')}?done=changed`, 'the time is not its matter');
});
