/** Long because one world serves all of it. What owners do to a customer: opt in again, erase, export; by whom, once, over nothing that was not seen, and with a sign-in that is fresh. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optOut } from '#product/customers/opt-out.ts';
import { requireCustomer } from '#product/customers/store.ts';
import { tellOptIns } from '#product/sending/provider-opt-in/tell.ts';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import {
  baseOf,
  fieldsOf,
  type Person,
  peopleOf,
  type Shown,
  signedInPerson,
} from '../../../test/fixtures/office.ts';
import { staffWorld } from '../../../test/fixtures/walk-ins.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const { app, workshopId, known, newPhone, options } = await staffWorld();
const { context } = app;
const { db } = context;
const base = await baseOf(app, workshopId);
const { owner, adviser } = await peopleOf(app, workshopId);
const { answer } = inboundWorld(app);

async function newCustomer(changes: object = {}) {
  const phone = newPhone();
  const booking = await known(phone, { customerName: 'Sam Taylor', ...changes });
  const customerId = String(booking.customerId);
  return { customerId, bookingId: String(booking.id), phone, page: `${base}/customers/${customerId}` };
}
async function optedOut() {
  const sam = await newCustomer();
  await optOut(context, { workshopId, customerId: sam.customerId, actor: options.actor });
  return sam;
}
const read = (customerId: string) => requireCustomer(db, customerId);
const entriesOf = (customerId: string, action: string) =>
  db.query<{ actor: string; after: unknown }>(
    `SELECT actor, after FROM audit_entry WHERE subject_id = $1 AND action = $2 ORDER BY id`,
    [customerId, action],
  );
function ledTo({ status, location, text }: Shown, path: string) {
  assert.equal(status, 303, text);
  assert.equal(location, path);
}
const today = () => context.clock.now().toISOString().slice(0, 10);
/** As 16 minutes after their sign-in. */
async function grownStale(): Promise<Person> {
  const person = await signedInPerson(app, [workshopId]);
  await db.query(
    `UPDATE session SET signed_in_at = signed_in_at - interval '16 minutes' WHERE person_id = $1`,
    [person.personId],
  );
  return person;
}

test('Opt in again asks how and when, is done once, and stands on the page and in the trail (specification: Opting out 4)', async () => {
  const sam = await newCustomer();
  await adviser.submit(sam.page, `${sam.page}/opt-out`);
  const action = `${sam.page}/opt-in`;
  assert.match(
    (await owner.get(sam.page)).text,
    /Opted out of SMS on .*Staff were asked to stop.*Opt in again/s,
  );
  const asked = await owner.get(action);
  // The recorded gateway has no call for it.
  assert.match(asked.text, /there is no call here that tells it otherwise.*texting START to our number/);
  assert.match(asked.text, /<button[^>]*>Opt in again</);
  const typed = { how: ' Asked at <the> desk ', on: '2026-01-02' };
  const form = { ...fieldsOf(asked.text, action), ...typed };
  assert.equal((await adviser.post(action, form)).status, 403);
  assert.notEqual((await read(sam.customerId)).optedOutAt, null);
  for (let times = 0; times < 2; times++) ledTo(await owner.post(action, form), `${sam.page}?done=optedIn`);
  assert.equal((await read(sam.customerId)).optedOutAt, null);
  await app.drain();
  assert.deepEqual(await entriesOf(sam.customerId, 'customer.optedIn'), [
    {
      actor: `person ${owner.personId}`,
      after: { optedOut: false, agreement: 'Asked at <the> desk', agreedOn: '2026-01-02' },
    },
  ]);
  assert.match((await adviser.get(sam.page)).text, /The SMS provider is being told\./);
  await tellOptIns(app.context);
  const { text } = await adviser.get(sam.page);
  assert.match(text, /The SMS provider was not told: it has no call for it here\./);
  assert.match(text, /Opted in again on .*: Asked at &lt;the&gt; desk\. They agreed on 2026-01-02/);
  assert.match(text, new RegExp(`${owner.name}.*opted in to SMS`));
  assert.match(text, /action="[^"]*\/opt-out"/);
  // Nobody else hears how they agreed.
  const events = await db.query(`SELECT payload FROM event WHERE subject_id = $1`, [sam.customerId]);
  assert.doesNotMatch(JSON.stringify(events), /desk/);
});

test('bad words and dates are named, and change nothing (specification: Opting out 4)', async () => {
  const sam = await optedOut();
  const action = `${sam.page}/opt-in`;
  for (const [how, on, faults] of [
    ['', '', ['how', 'on']],
    ['ab', '2030-02-30', ['how', 'on']],
    ['x'.repeat(256), '9999-12-31', ['how', 'on']],
    ['\u200b\u200b\u200b', today(), ['how']],
    ['They rang', 'yesterday', ['on']],
  ] as const) {
    const { status, text } = await owner.submit(action, action, { how, on });
    assert.equal(status, 422, on);
    assert.deepEqual(
      ['how', 'on'].filter((name) => text.includes(`id="${name}-error"`)),
      [...faults],
      on,
    );
  }
  assert.notEqual((await read(sam.customerId)).optedOutAt, null);
  ledTo(await owner.submit(action, action, { how: 'abc', on: today() }), `${sam.page}?done=optedIn`);
});

test('a STOP that came meanwhile wins: the form says so, keeps what was typed, and opts nobody in (specification: Opting out 4)', async () => {
  const sam = await newCustomer();
  await answer(sam.phone, 'STOP');
  assert.match((await owner.get(sam.page)).text, /Opted out of SMS on .*They texted STOP/);
  const action = `${sam.page}/opt-in`;
  const form = { ...fieldsOf((await owner.get(action)).text, action), how: 'They rang', on: today() };
  await answer(sam.phone, 'Stop');
  const late = await owner.post(action, form);
  assert.equal(late.status, 422);
  assert.match(late.text, /Somebody changed this meanwhile.*Customer by SMS.*said STOP again/s);
  assert.match(late.text, /value="They rang"/);
  assert.notEqual((await read(sam.customerId)).optedOutAt, null);
  // As out of date: START and STOP again.
  const seen = { ...fieldsOf((await owner.get(action)).text, action), how: 'They rang', on: today() };
  await answer(sam.phone, 'START');
  await answer(sam.phone, 'STOP');
  assert.equal((await owner.post(action, seen)).status, 422);
  assert.notEqual((await read(sam.customerId)).optedOutAt, null);
});

test('correct, a tag and a new booking opt nobody in (specification: Opting out 4)', async () => {
  const sam = await optedOut();
  const action = `${sam.page}/correct`;
  const phone = newPhone();
  ledTo(await owner.submit(action, action, { name: 'Sam', phone, email: '' }), `${sam.page}?done=changed`);
  await owner.submit(sam.page, `${sam.page}/tags`, { add: 'vip' });
  await known(phone, { customerName: 'Sam again' });
  assert.notEqual((await read(sam.customerId)).optedOutAt, null);
});

test('Erase shows what goes and stays, asks for the word, and leaves a plain page; again is the same answer (specification: Erasure and retention 3)', async () => {
  const sam = await newCustomer({ customerName: 'Quentin Zephyr', carRego: 'ERA100' });
  const action = `${sam.page}/erase`;
  const { text } = await owner.get(action);
  assert.match(text, /Erase <bdi>Quentin Zephyr/);
  assert.match(text, /Bookings.*1\. Date, services and state stay/s);
  assert.match(text, /Export first/);
  const wrong = await owner.submit(action, action, { confirm: 'yes' });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /id="confirm-error"/);
  assert.equal((await read(sam.customerId)).erasedAt, null);
  const form = { ...fieldsOf(text, action), confirm: ' Erase ' };
  assert.equal((await adviser.post(action, form)).status, 403);
  for (let times = 0; times < 2; times++) ledTo(await owner.post(action, form), `${sam.page}?done=erased`);
  ledTo(await owner.post(action, { ...form, key: crypto.randomUUID() }), `${sam.page}?done=erased`);
  ledTo(await owner.get(action), sam.page);
  assert.notEqual((await read(sam.customerId)).erasedAt, null);
  assert.deepEqual(
    (await entriesOf(sam.customerId, 'customer.erased')).map(({ actor }) => actor),
    [`person ${owner.personId}`],
  );
  const after = await owner.get(`${sam.page}?done=erased`);
  assert.match(after.text, /role="status">Erased\..*<h1>Erased customer.*were erased on/s);
  assert.doesNotMatch(after.text, /Quentin|Zephyr|ERA100|Opt in|Opt out|Correct|Export|\/erase"/);
  for (const path of ['opt-in', 'export', 'export/json', 'export/page', 'correct'])
    assert.equal((await owner.get(`${sam.page}/${path}`)).status, 404, path);
});

test('what was changed since the form of an erasure was shown is not erased by it (specification: Erasure and retention 3)', async () => {
  const sam = await newCustomer();
  const action = `${sam.page}/erase`;
  const form = { ...fieldsOf((await owner.get(action)).text, action), confirm: 'erase' };
  await adviser.submit(sam.page, `${sam.page}/tags`, { add: 'new' });
  const late = await owner.post(action, form);
  assert.equal(late.status, 422);
  assert.match(late.text, new RegExp(`Somebody changed this.*${adviser.name}.*changed the tags`, 's'));
  assert.equal((await read(sam.customerId)).erasedAt, null);
});

test('Export is a file or a page, of what is held by then, with an entry of the trail for each (specification: Erasure and retention 5)', async () => {
  const sam = await newCustomer({ customerName: '<i>Quentin</i>', carRego: 'EXP100' });
  await answer(sam.phone, 'Is my <b>car</b> ready?');
  const action = `${sam.page}/export`;
  const exports = () => entriesOf(sam.customerId, 'customer.exported');
  for (const as of ['json', 'page']) ledTo(await owner.get(`${action}/${as}`), action);
  const form = { ...fieldsOf((await owner.get(action)).text, action), as: 'json' };
  assert.equal((await adviser.post(action, form)).status, 403);
  assert.deepEqual(await exports(), []);
  for (let times = 0; times < 2; times++) ledTo(await owner.post(action, form), `${action}/json`);
  assert.deepEqual(await exports(), [{ actor: `person ${owner.personId}`, after: { as: 'json' } }]);

  const file = await owner.get(`${action}/json`);
  assert.equal(file.status, 200);
  assert.match(file.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(
    file.headers.get('content-disposition'),
    `attachment; filename="customer-${sam.customerId}.json"`,
  );
  assert.equal(file.headers.get('cache-control'), 'no-store');
  const all = JSON.parse(file.text);
  assert.equal(all.customer[0].name, '<i>Quentin</i>');
  assert.equal(all.cars[0].rego, 'EXP100');
  assert.equal(all.bookings[0].id, sam.bookingId);
  assert.ok(all.messages.some(({ body }: { body: string }) => body === 'Is my <b>car</b> ready?'));
  assert.deepEqual(
    all.changes.filter(({ action: what }: { action: string }) => what === 'customer.exported').length,
    1,
  );
  // The page is one of its own, and another owner's neither.
  const other = await signedInPerson(app, [workshopId]);
  ledTo(await other.get(`${action}/json`), action);
  ledTo(await owner.get(`${action}/page`), action);
  ledTo(await owner.submit(action, action, { as: 'page' }), `${action}/page`);
  const page = await owner.get(`${action}/page`);
  assert.match(
    page.text,
    /All that is held on.*<h2>Messages<\/h2>.*Is my &lt;b&gt;car&lt;\/b&gt; ready\?.*<\/main>/s,
  );
  assert.doesNotMatch(page.text, /<i>Quentin|<b>car/);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.equal((await exports()).length, 2);
  // A quarter of an hour later, the page still being the last.
  await db.query(
    `UPDATE audit_entry SET id = first_id(clock_timestamp() - make_interval(mins => CASE after->>'as' WHEN 'page' THEN 16 ELSE 17 END))
      WHERE subject_id = $1 AND action = 'customer.exported'`,
    [sam.customerId],
  );
  ledTo(await owner.get(`${action}/page`), action);
});

test('whoever sees no phones exports none, an owner too', async () => {
  const sam = await newCustomer();
  const blind = await signedInPerson(app, [workshopId], 'owner', { seesPhones: false });
  assert.doesNotMatch((await blind.get(sam.page)).text, /Export/);
  for (const path of ['export', 'export/json', 'export/page'])
    assert.equal((await blind.get(`${sam.page}/${path}`)).status, 403, path);
  assert.equal((await blind.post(`${sam.page}/export`, { key: crypto.randomUUID() })).status, 403);
  const erase = await blind.get(`${sam.page}/erase`);
  assert.equal(erase.status, 200);
  assert.ok(!erase.text.includes(sam.phone.slice(3)));
});

test('erasing and exporting ask for a sign-in of the last 15 minutes; opting in does not (specification: Erasure and retention 3)', async () => {
  const sam = await newCustomer();
  const stale = await grownStale();
  for (const path of ['erase', 'export', 'export/json', 'export/page']) {
    const { status, location } = await stale.get(`${sam.page}/${path}`);
    assert.equal(status, 303);
    assert.match(location ?? '', /^\/console\/sign-in\?next=/);
  }
  for (const path of ['erase', 'export']) {
    const sent = await stale.post(`${sam.page}/${path}`, {
      key: crypto.randomUUID(),
      version: '1',
      confirm: 'erase',
    });
    assert.match(sent.location ?? '', /^\/console\/sign-in/);
  }
  assert.equal((await read(sam.customerId)).erasedAt, null);
  assert.deepEqual(await entriesOf(sam.customerId, 'customer.exported'), []);
  assert.equal((await stale.get(`${sam.page}/opt-in`)).status, 200);
});

test("owners of another workshop, and ids of one's own elsewhere, get 404 and change nothing", async () => {
  const sam = await optedOut();
  const elsewhere = await linkedWorkshop(app, [], { name: 'Elsewhere' });
  const both = await signedInPerson(app, [workshopId, elsewhere]);
  const stranger = await signedInPerson(app, [elsewhere]);
  const there = sam.page.replace(base, await baseOf(app, elsewhere));
  const before = await read(sam.customerId);
  for (const [by, page] of [
    [stranger, sam.page],
    [stranger, there],
    [both, there],
  ] as const) {
    for (const path of ['opt-in', 'erase', 'export', 'export/json', 'export/page'])
      assert.equal((await by.get(`${page}/${path}`)).status, 404, path);
    const form = { key: crypto.randomUUID(), version: String(before.version), confirm: 'erase' };
    for (const path of ['opt-in', 'erase', 'export'])
      assert.equal(
        (await by.post(`${page}/${path}`, { ...form, how: 'They rang', on: today() })).status,
        404,
        path,
      );
  }
  assert.deepEqual(await read(sam.customerId), before);
  assert.deepEqual(await entriesOf(sam.customerId, 'customer.exported'), []);
});
