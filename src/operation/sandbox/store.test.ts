import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { newId } from '#base/values/id.ts';
import type { Database } from '#platform/db/database.ts';
import type { SandboxEntry } from '#platform/gateways/sandbox-outbox.ts';
import { testClock } from '../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { findDueReports, listSandboxMessages, sandboxOutbox, takeReports, trimSandbox } from './store.ts';

let db: Database;
before(async () => {
  ({ db } = await createTestDatabase());
});
beforeEach(() => db.query('DELETE FROM sandbox_message'));

const clock = testClock('2030-01-15T00:00:00.000Z');

function entry(over: Partial<SandboxEntry> = {}): SandboxEntry {
  return {
    reference: newId(),
    messageId: newId(),
    channel: 'sms',
    outcome: 'accepted',
    to: '+61400000001',
    from: 'sandbox',
    subject: null,
    body: 'Hi',
    html: null,
    calendar: null,
    report: null,
    ...over,
  };
}

const list = (filter: Partial<Parameters<typeof listSandboxMessages>[1]> = {}) =>
  listSandboxMessages(db, { outcome: 'accepted', limit: 100, ...filter });

test('stored messages are listed with all their fields and the time of the business clock', async () => {
  const email = entry({
    channel: 'email',
    to: 'ann@example.com',
    subject: 'Hi',
    html: '<p>',
    calendar: 'BEGIN',
  });
  const id = await sandboxOutbox(db, clock).keep(email);
  const { report: _, ...fields } = email;
  assert.deepEqual(await list(), [{ id, ...fields, at: new Date('2030-01-15T00:00:00.000Z') }]);
});

const takeDueReports = async (limit = 100) =>
  takeReports(db, await findDueReports(db, 'handOutReport', limit));

test('a reference is stored once, also with concurrent sends', async () => {
  const outbox = sandboxOutbox(db, clock);
  const sms = entry({ report: 'undelivered' });
  const ids = await Promise.all(Array.from({ length: 8 }, () => outbox.keep(sms)));
  assert.equal(new Set(ids).size, 1);
  assert.equal((await list()).length, 1);
  await takeDueReports();
  await outbox.keep(sms);
  assert.deepEqual(await takeDueReports(), []);
});

test('one reference may go to several recipients', async () => {
  const outbox = sandboxOutbox(db, clock);
  const email = entry({ channel: 'email', to: 'a@example.com' });
  await outbox.keep(email);
  await outbox.keep({ ...email, to: 'b@example.com' });
  assert.deepEqual(
    (await list()).map(({ to }) => to),
    ['b@example.com', 'a@example.com'],
  );
});

test('a look-up finds a reference once it was accepted; an earlier refusal of its message is remembered', async () => {
  const outbox = sandboxOutbox(db, clock);
  const sms = entry({ outcome: 'refused' });
  assert.equal(await outbox.refusedBefore(sms.messageId), false);
  await outbox.keep(sms);
  assert.equal(await outbox.accepted(sms.reference), null);
  assert.equal(await outbox.refusedBefore(sms.messageId), true);
  assert.equal(await outbox.refusedBefore(newId()), false);
  const id = await outbox.keep({ ...sms, outcome: 'accepted' });
  assert.equal(await outbox.accepted(sms.reference), id);
  await outbox.keep(sms);
  assert.equal(await outbox.accepted(sms.reference), id);
});

test('the list is newest first, in pages, and filtered', async () => {
  const outbox = sandboxOutbox(db, clock);
  const start = clock.now();
  const ids: string[] = [];
  for (const n of [1, 2, 3, 4, 5]) {
    ids.unshift(await outbox.keep(entry({ to: n % 2 ? '+61400000001' : '+61400000002' })));
    clock.advance({ seconds: 1 });
  }
  await outbox.keep(entry({ outcome: 'refused' }));
  const idsOf = async (filter: Parameters<typeof list>[0]) => (await list(filter)).map(({ id }) => id);

  assert.deepEqual(await idsOf({}), ids);
  assert.deepEqual(await idsOf({ limit: 2 }), ids.slice(0, 2));
  assert.deepEqual(await idsOf({ limit: 2, before: ids[1] }), ids.slice(2, 4));
  assert.deepEqual(await idsOf({ before: ids[4] }), []);
  assert.deepEqual(await idsOf({ to: '+61400000002' }), [ids[1], ids[3]]);
  assert.deepEqual(await idsOf({ to: 'nobody@example.com' }), []);
  // `since` is inclusive.
  assert.deepEqual(await idsOf({ since: new Date(start.getTime() + 3000) }), ids.slice(0, 2));
  assert.deepEqual(await idsOf({ since: new Date(start.getTime() + 3001) }), ids.slice(0, 1));
  assert.equal((await list({ outcome: 'refused' })).length, 1);
});

test('each due report is handed out once, over all processes', async () => {
  const outbox = sandboxOutbox(db, clock);
  const references = new Set<string>();
  for (let n = 0; n < 30; n++) {
    const sms = entry({ report: 'undelivered' });
    references.add(sms.reference);
    await outbox.keep(sms);
  }
  await outbox.keep(entry());
  const taken = (await Promise.all(Array.from({ length: 6 }, () => takeDueReports(10)))).flat();
  taken.push(...(await takeDueReports()));
  assert.equal(taken.length, 30);
  assert.deepEqual(new Set(taken.map(({ reference }) => reference)), references);
  assert.ok(taken.every(({ state }) => state === 'undelivered'));
});

test('only the newest messages are kept', async () => {
  const outbox = sandboxOutbox(db, clock);
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.unshift(await outbox.keep(entry()));
  assert.equal(await trimSandbox(db), 0);
  assert.equal(await trimSandbox(db, 5), 0);
  assert.equal(await trimSandbox(db, 3), 2);
  assert.deepEqual(
    (await list()).map(({ id }) => id),
    ids.slice(0, 3),
  );
});
