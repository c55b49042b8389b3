/** GET /reminders/services: the list, and the feed of changes (specification: Lists and feeds). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#values/id.ts';
import { setLink } from '#workshops/link.ts';
import { assertProblem } from '../../../test/fixtures/booking-api.ts';
import { reminderWorld } from '../../../test/fixtures/reminder-api.ts';
import { settledFeed } from '../../../test/fixtures/settled-feed.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import type { ServiceReminder } from '../schema.ts';

const { app, partner, workshopId, newPhone, remind, post } = await reminderWorld();
const other = await signedInPartner(app, 'Other');
const shared = await linkedWorkshop(app, [partner, other], { name: 'Shared' });
const { db, clock } = app.context;
const sendAt = new Date(clock.now().getTime() + 86_400_000).toISOString();

/** In order of creation: two workshops, two statuses, references that repeat. */
const all: ServiceReminder[] = [];
for (let n = 0; n < 8; n++) {
  const { serviceReminder } = await remind({
    workshopId: n % 3 === 0 ? shared : workshopId,
    customerPhone: newPhone(),
    ...(n % 4 === 0 ? { externalId: 'SERVICE-1' } : {}),
    ...(n % 2 === 0 ? { sendAt } : {}),
  });
  all.push(serviceReminder);
}
await post(
  { workshopId: shared, customerPhone: newPhone(), externalId: 'SERVICE-1', sendAt },
  undefined,
  other,
);
const newest = all.toReversed();

const get = (query: Readonly<Record<string, string>>, by = partner) =>
  by.call('GET', `/reminders/services?${new URLSearchParams(query)}`);

async function walk(query: Readonly<Record<string, string>>): Promise<ServiceReminder[]> {
  const found: ServiceReminder[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await get({ ...query, ...(cursor === '' ? {} : { cursor }) });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(Object.keys(body).sort(), ['nextCursor', 'serviceReminders', 'success']);
    found.push(...body.serviceReminders);
    cursor = body.nextCursor;
  }
  return found;
}

test("the partner's own reminders, newest first, whole and in pages, by each filter and by several", async () => {
  const matching = (filter: (reminder: ServiceReminder) => boolean) => newest.filter(filter);
  assert.deepEqual(await walk({}), newest);
  assert.deepEqual(await walk({ limit: '3' }), newest);
  assert.deepEqual(
    await walk({ workshopId: shared.toUpperCase(), limit: '1' }),
    matching((reminder) => reminder.workshopId === shared),
  );
  assert.deepEqual(
    await walk({ status: 'scheduled', limit: '2' }),
    matching(({ status }) => status === 'scheduled'),
  );
  assert.deepEqual(
    await walk({ externalId: 'SERVICE-1', limit: '1' }),
    matching(({ externalId }) => externalId === 'SERVICE-1'),
  );
  const { customerId = '' } = all[3] ?? {};
  assert.deepEqual(await walk({ customerId: customerId.toUpperCase() }), [all[3]]);
  assert.deepEqual(await walk({ customerId, status: 'scheduled' }), []);
  for (const none of [{ customerId: 'x' }, { externalId: 'none' }]) assert.deepEqual(await walk(none), []);
});

test('updatedSince: each change once more, in the order of the changes; its cursor never ends', async () => {
  const since = { updatedSince: '2026-01-01T00:00:00Z' };
  await settledFeed(db, 'service_reminder');
  const first = await get({ ...since, limit: '200' });
  assert.equal(first.body.serviceReminders.length, all.length);
  const cursor: string = first.body.nextCursor;
  const quiet = await get({ ...since, cursor });
  assert.deepEqual([quiet.body.serviceReminders, typeof quiet.body.nextCursor], [[], 'string']);
  const { id = '' } = all[2] ?? {};
  const { serviceReminder } = (await partner.call('POST', `/reminders/services/${id}/cancel`)).body;
  await settledFeed(db, 'service_reminder');
  assert.deepEqual((await get({ ...since, cursor })).body.serviceReminders, [serviceReminder]);
  const none = await get({ ...since, status: 'booked', workshopId, externalId: 'SERVICE-1' });
  assert.deepEqual(none.body.serviceReminders, []);
  all[2] = serviceReminder;
});

test('400 names the parameter; a cursor goes with its filters; 401; 404 for a workshop that is not linked', async () => {
  for (const [query, field] of [
    [{ status: 'due' }, 'status'],
    [{ limit: '201' }, 'limit'],
    [{ updatedSince: '2026-01-01' }, 'updatedSince'],
    [{ cursor: 'x' }, 'cursor'],
  ] as const) {
    assertProblem(await get(query), 400, '000001', [field]);
  }
  const { nextCursor } = (await get({ limit: '1', status: 'sent' })).body;
  assertProblem(await get({ cursor: nextCursor }), 400, '000001', ['cursor']);
  assertProblem(await app.request('GET', '/reminders/services'), 401, '010000');
  for (const id of [newId(), 'none']) assertProblem(await get({ workshopId: id }), 404, '030001');
  assertProblem(await get({ workshopId }, other), 404, '030001');
  assert.equal((await get({}, other)).body.serviceReminders.length, 1);
});

test('a link that is off hides no reminder', async () => {
  await setLink(db, clock, { partnerId: partner.partnerId, workshopId: shared, active: false });
  assert.equal((await get({ workshopId: shared })).body.serviceReminders.length, 3);
});
