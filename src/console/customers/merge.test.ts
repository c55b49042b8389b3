/** Long because one world serves all of it. Merging two customers in the browser, and what then is of both: found, both sides shown, done once, over nothing that was not seen, by an owner who has just signed in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { listTrail } from '#platform/audit/read/store.ts';
import { setAttendance } from '#product/bookings/staff/attendance.ts';
import { listBookingsOf } from '#product/bookings/staff/store.ts';
import { setTags } from '#product/customers/tags.ts';
import { mergeWorld } from '../../../test/fixtures/merged.ts';
import { baseOf, fieldsOf, peopleOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { bookingBody, linkedWorkshop } from '../../../test/harness/world.ts';
import { listSaid } from '../said/store.ts';

const { app, partner, workshopId, customer, merge, optedOut, answer, options } = await mergeWorld();
const { context } = app;
const { db } = context;
const base = await baseOf(app, workshopId);
const { owner, adviser } = await peopleOf(app, workshopId);
const pageOf = (id: string) => `${base}/customers/${id}`;

async function two() {
  const [older, newer] = [
    await customer({ customerName: 'Ona <Old>', carRego: 'MRG 1' }),
    await customer({ customerName: 'Ned New', carRego: 'MRG 2' }),
  ];
  return { older, newer, form: `${pageOf(newer.customerId)}/merge?with=${older.customerId}` };
}
const actionOf = (id: string) => `${pageOf(id)}/merge`;
const mergedInto = async (id: string) =>
  (await db.query<{ into: string | null }>('SELECT merged_into AS into FROM customer WHERE id = $1', [id]))[0]
    ?.into;

test('the other is found; both sides and counts stand before the button; a double click is one; the id leads to the kept one (specification: Merging customers 5)', async () => {
  const { older, newer, form } = await two();
  await answer(newer.phone, 'Is this x@y.example?');
  await app.drain();
  assert.match((await owner.get(pageOf(newer.customerId))).text, />Merge</);
  const ask = `${pageOf(newer.customerId)}/merge`;
  assert.match((await owner.get(ask)).text, /Find the other/);
  const found = await owner.get(`${ask}?q=MRG1`);
  assert.ok(found.text.includes(`${ask}?with=${older.customerId}`), found.text);
  assert.equal((await owner.get(`${ask}?q=${'x'.repeat(101)}`)).status, 422);

  const { status, text } = await owner.get(form);
  assert.equal(status, 200);
  for (const part of [
    'Ona &lt;Old&gt;',
    'Ned New',
    'Stays',
    'Becomes part of it',
    "can't be undone",
    'Bookings',
  ])
    assert.ok(text.includes(part), part);
  for (const count of ['Quotes', 'Messages', 'Reminders', 'Cars', 'Opt-outs'])
    assert.match(text, new RegExp(`${count}</dt><dd><bdi>[01]<`));
  const fields = fieldsOf(text, actionOf(newer.customerId));
  const to = `${pageOf(older.customerId)}?done=merged`;
  const answers = await Promise.all([1, 2].map(() => owner.post(actionOf(newer.customerId), fields)));
  answers.push(await owner.post(actionOf(newer.customerId), fields));
  for (const each of answers) assert.deepEqual([each.status, each.location], [303, to], each.text);

  for (const sub of ['', '/correct', '/merge?with=x'])
    assert.deepEqual(
      ((shown) => [shown.status, shown.location])(await owner.get(`${pageOf(newer.customerId)}${sub}`)),
      [303, `${pageOf(older.customerId)}${sub}`],
    );
  const kept = await owner.get(to);
  for (const part of [
    'Merged:',
    newer.phone,
    'MRG1',
    'MRG2',
    'x@y.example',
    'merged two customers',
    'Further number',
  ])
    assert.ok(kept.text.includes(part), part);
  const list = await owner.get(`${base}/customers`);
  assert.doesNotMatch(list.text, /Ned New/);
  assert.match(list.text, /MRG2, MRG1|MRG1, MRG2/);
});

test('either changed meanwhile: 422, and nothing is done (specification: Merging customers 6)', async () => {
  for (const which of ['older', 'newer'] as const) {
    const { older, newer, form } = await two();
    const fields = fieldsOf((await owner.get(form)).text, actionOf(newer.customerId));
    const { customerId } = which === 'older' ? older : newer;
    await setTags(context, { workshopId, customerId, add: ['x'], remove: [], actor: options.actor });
    const { status, text } = await owner.post(actionOf(newer.customerId), fields);
    assert.equal(status, 422);
    assert.match(text, /changed this meanwhile/);
    assert.equal(await mergedInto(newer.customerId), null);
  }
});

test('with itself, with one who was merged or erased, with another workshop’s: 422 or 404 (specification: Merging customers 6)', async () => {
  const { older, newer, form } = await two();
  const fields = fieldsOf((await owner.get(form)).text, actionOf(newer.customerId));
  const send = (other: string) => owner.post(actionOf(newer.customerId), { ...fields, with: other });
  const itself = await send(newer.customerId);
  assert.equal(itself.status, 422);
  assert.match(itself.text, /is this customer themselves/);
  const third = await customer();
  const fourth = await customer();
  await merge(third.customerId, fourth.customerId);
  assert.match((await send(fourth.customerId)).text, /was merged into/);
  await eraseCustomer({ db, clock: context.clock }, third.customerId, options.actor);
  assert.match((await send(third.customerId)).text, /was erased/);
  const elsewhere = await linkedWorkshop(app, [partner]);
  const { body } = await partner.call('POST', '/reminders/services', {
    ...{ workshopId: elsewhere, customerPhone: '0491 570 313' },
  });
  for (const other of [body.serviceReminder.customerId, newId(), 'nobody']) {
    assert.equal((await send(other)).status, 404);
    assert.equal((await owner.get(`${pageOf(newer.customerId)}/merge?with=${other}`)).status, 404);
  }
  assert.deepEqual([await mergedInto(newer.customerId), await mergedInto(older.customerId)], [null, null]);
});

test('a form of a customer who was merged since is refused, and says so', async () => {
  const { older, newer } = await two();
  const page = pageOf(newer.customerId);
  const fields = fieldsOf((await owner.get(page)).text, `${page}/tags`);
  await merge(older.customerId, newer.customerId);
  const { status } = await owner.post(`${page}/tags`, { ...fields, add: 'late' });
  assert.equal(status, 422);
});

test('an owner alone, who has signed in within 15 minutes; without phones they stay hidden (specification: Merging customers 1)', async () => {
  const { older, newer, form } = await two();
  assert.equal((await adviser.get(form)).status, 403);
  assert.doesNotMatch((await adviser.get(pageOf(older.customerId))).text, />Merge</);
  const masked = await signedInPerson(app, [workshopId], 'owner', { seesPhones: false });
  const { text } = await masked.get(form);
  assert.doesNotMatch(text, new RegExp(`tel:|${newer.phone.slice(-6)}|cust\\.example`));
  const late = await signedInPerson(app, [workshopId]);
  const fields = fieldsOf((await late.get(form)).text, actionOf(newer.customerId));
  await db.query(
    `UPDATE session SET signed_in_at = signed_in_at - interval '16 minutes' WHERE person_id = $1`,
    [late.personId],
  );
  for (const shown of [await late.get(form), await late.post(actionOf(newer.customerId), fields)])
    assert.match(shown.location ?? '', /^\/console\/sign-in/);
  assert.equal(await mergedInto(newer.customerId), null);
});

test('the history, pages of it, and what an export and an erasure name are of all rows', async () => {
  const { older, newer } = await two();
  const later = { ...{ customerPhone: older.phone, customerName: 'Ona', carRego: 'MRG 2' } };
  const body = bookingBody(workshopId, { ...later, skipNotification: true });
  assert.equal((await partner.call('POST', '/bookings', body)).status, 201);
  for (const { phone } of [older, newer]) {
    const named = { workshopId, customerPhone: phone, customerName: 'Q', carRego: 'MRG 1' };
    const quote = { ...named, customerEmail: 'q@x.example', services: [{ title: 'Brakes' }] };
    const call = { workshopId, callerPhone: phone, calledAt: new Date().toISOString(), outcome: 'missed' };
    for (const [path, made] of [
      ['/quotes', quote],
      ['/reminders/services', named],
      ['/leads/calls', call],
    ] as const)
      assert.equal((await partner.call('POST', path, made)).status, 201, path);
    await answer(phone, `From ${phone}`);
  }
  await setAttendance(context, {
    ...{ workshopId, bookingId: newer.bookingId, state: 'didNotCome', actor: options.actor },
  });
  await merge(older.customerId, newer.customerId);
  const messages = await db.query<{ id: string }>(
    'SELECT id FROM message WHERE customer_id = ANY ($1::uuid[]) ORDER BY id DESC',
    [[older.customerId, newer.customerId]],
  );
  const page = pageOf(older.customerId);
  const { text } = await owner.get(page);
  for (const part of [
    ...[
      'Bookings (3)',
      'Cars (2)',
      'Quotes (2)',
      'Reminders (2)',
      'Calls (2)',
      `Said and sent (${messages.length})`,
    ],
    ...[`From ${older.phone}`, `From ${newer.phone}`, 'Did not come once.'],
  ])
    assert.ok(text.includes(part), part);
  assert.match(text, /for MRG2">New booking<\/a> <a [^>]*>Correct<\/a><br><span class="quiet">2 bookings/);

  const ids: string[] = [];
  for (let n = 0; n < 4; n++) {
    const of = { customerId: newer.customerId, before: ids.at(-1) ?? null, limit: 1 };
    ids.push(...(await listBookingsOf(db, workshopId, of)).map(({ id }) => id));
  }
  assert.deepEqual([ids.length, new Set(ids).size], [3, 3]);
  for (const before of [null, messages[0]?.id ?? ''])
    assert.deepEqual(
      (await listSaid(db, workshopId, { customerId: older.customerId, before })).map(({ id }) => id),
      messages.slice(before === null ? 0 : 1).map(({ id }) => id),
    );

  assert.match((await owner.get(`${page}/erase`)).text, /Bookings<\/dt><dd>(<bdi>)?3\./);
  const action = `${page}/export`;
  assert.equal((await owner.submit(action, action, { as: 'json' })).location, `${action}/json`);
  const all = JSON.parse((await owner.get(`${action}/json`)).text);
  for (const [section, count] of [
    ...([
      ['customer', 2],
      ['bookings', 3],
      ['quotes', 2],
      ['reminders', 2],
      ['calls', 2],
    ] as const),
    ...([
      ['messages', messages.length],
      ['conversations', 2],
      ['attendance', 1],
      ['partners', 1],
    ] as const),
  ])
    assert.equal(all[section].length, count, section);
  assert.equal(all.partners[0].maySee.length, 2);
  const moved = await owner.get(`${pageOf(newer.customerId)}/export`);
  assert.deepEqual([moved.status, moved.location], [303, action]);
});

test('opting in again is for all rows, with how in the trail of each; a STOP from the other number comes first', async () => {
  const { older, newer } = await two();
  await merge(older.customerId, newer.customerId);
  await answer(newer.phone, 'STOP');
  const page = pageOf(older.customerId);
  const action = `${page}/opt-in`;
  assert.match((await owner.get(page)).text, /Opted out of SMS on .*They texted STOP/);
  const agreed = { how: 'They rang', on: '2026-01-02' };
  const seen = fieldsOf((await owner.get(action)).text, action);
  await answer(newer.phone, 'STOP');
  assert.equal((await owner.post(action, { ...seen, ...agreed })).status, 422);
  assert.deepEqual(await optedOut(older.customerId, newer.customerId), [true, true]);
  assert.equal((await owner.submit(action, action, agreed)).location, `${page}?done=optedIn`);
  assert.deepEqual(await optedOut(older.customerId, newer.customerId), [false, false]);
  assert.match((await owner.get(page)).text, /Opted in again on .*: They rang\. They agreed on 2026-01-02/);
  for (const subjectId of [older.customerId, newer.customerId]) {
    const [entry] = await listTrail(db, { workshopId, subjectId, before: null, limit: 1 });
    assert.deepEqual(
      [entry?.action, entry?.after],
      ['customer.optedIn', { optedOut: false, agreement: 'They rang', agreedOn: '2026-01-02' }],
    );
  }
});

test('what was asked before a merge is not done to the other too: the kept one has changed (specification: Merging customers 6)', async () => {
  const { older, newer } = await two();
  const action = `${pageOf(older.customerId)}/erase`;
  const form = { ...fieldsOf((await owner.get(action)).text, action), confirm: 'erase' };
  await merge(older.customerId, newer.customerId);
  const late = await owner.post(action, form);
  assert.equal(late.status, 422);
  assert.match(late.text, /Somebody changed this meanwhile.*merged two customers/s);
  assert.equal((await owner.submit(action, action, { confirm: 'erase' })).status, 303);
  const rows = await db.query('SELECT FROM customer WHERE id = ANY ($1::uuid[]) AND erased_at IS NOT NULL', [
    [older.customerId, newer.customerId],
  ]);
  assert.equal(rows.length, 2);
});
