/**
 * Workshops take turns, classes are claimed in order, and the number of rows that a claim reads depends on its room, not on the
 * length of the queues.
 */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { makeBacklog, readsOf } from '../../../../test/fixtures/backlog.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { takeWakes } from '../wake/store.ts';
import { type Claim, claimEntries, claimStatement } from './store.ts';

const { db } = await createTestDatabase();
const claim = (room: number, more: Partial<Claim> = {}): Claim => ({
  ...{ routes: ['sms'], room, smsGateway: 'g', emailGateway: 'e', exemptCountries: [], now: new Date() },
  ...more,
});

beforeEach(() => db.query('TRUNCATE queued_message, send_queue, send_wake, message CASCADE'));

async function assertReadsLittle(given: Claim): Promise<void> {
  const { rows, buffers } = await readsOf(db, claimStatement(given));
  for (const table of ['send_queue', 'queued_message', 'message', 'workshop', 'message_attempt']) {
    const read = rows.get(table) ?? 0;
    assert.ok(read <= 10 * given.room, `${read} rows of ${table} were read for ${given.room}`);
  }
  assert.ok(buffers <= 50 * given.room, `${buffers} buffers for ${given.room} rows`);
}

test('20,000 due rows of one workshop and one row each of 2,000 others: the others are sent before 4,000 rows of the first', async () => {
  const [big = ''] = await makeBacklog(db, { workshops: 1, messages: 20_000 });
  const others = await makeBacklog(db, { workshops: 2_000, messages: 1 });
  await takeWakes(db);
  await assertReadsLittle(claim(100));
  await assertReadsLittle(claim(10));
  const waiting = new Set(others);
  let ofBig = 0;
  while (waiting.size > 0) {
    const { entries } = await claimEntries(db, claim(100));
    assert.ok(entries.length > 0);
    for (const { workshopId } of entries) {
      if (workshopId === big) ofBig++;
      waiting.delete(workshopId);
    }
    assert.ok(ofBig < 4_000, `${ofBig} of the first, and ${waiting.size} others still wait`);
  }
  await assertReadsLittle(claim(100));
});

test('20,000 rows for a dead gateway slow down no other route: claims for other routes do not read them', async () => {
  await makeBacklog(db, { workshops: 1, messages: 10_000, smsGateways: ['dead'] });
  await makeBacklog(db, { workshops: 2_000, messages: 5, smsGateways: ['dead'] });
  await makeBacklog(db, { workshops: 20, messages: 10 });
  await takeWakes(db);
  await assertReadsLittle(claim(100));
  const { entries } = await claimEntries(db, claim(1_000));
  assert.equal(entries.length, 200);
  const reads = await readsOf(db, claimStatement(claim(100)));
  assert.equal(reads.rows.get('queued_message') ?? 0, 0);
});

test('conversations go before notices, and notices before campaigns', async () => {
  const [campaign] = await makeBacklog(db, { workshops: 1, messages: 200, class: 2 });
  const [notices] = await makeBacklog(db, { workshops: 1, messages: 30, class: 1 });
  const [talk] = await makeBacklog(db, { workshops: 1, messages: 20, class: 0, kind: 'reply' });
  await takeWakes(db);
  const by = async () => (await claimEntries(db, claim(25))).entries.map(({ workshopId }) => workshopId);
  const count = (of: readonly string[], id: string | undefined) => of.filter((one) => one === id).length;
  const [first, second, third] = [await by(), await by(), await by()];
  assert.deepEqual([count(first, talk), count(first, notices), count(first, campaign)], [20, 5, 0]);
  assert.deepEqual([count(second, notices), count(second, campaign)], [25, 0]);
  assert.deepEqual([count(third, notices), count(third, campaign)], [0, 25]);
});

test('room that does not divide evenly is shared between the queues to within one row', async () => {
  const workshops = await makeBacklog(db, { workshops: 3, messages: 20 });
  await takeWakes(db);
  const { entries } = await claimEntries(db, claim(10));
  const taken = workshops.map((id) => entries.filter(({ workshopId }) => workshopId === id).length);
  assert.deepEqual(taken.sort(), [3, 3, 4]);
});

test('processes that claim at the same time take each row once, and leave no row', async () => {
  await makeBacklog(db, { workshops: 5, messages: 200 });
  await makeBacklog(db, { workshops: 300, messages: 1 });
  await takeWakes(db);
  const taken: string[] = [];
  const process = async () => {
    // A queue that another process holds is skipped and reported as due, so the loop claims again.
    for (let isDone = false; !isDone; ) {
      const { entries, moreDue } = await claimEntries(db, claim(10));
      taken.push(...entries.map(({ id }) => id));
      isDone = entries.length === 0 && !moreDue;
    }
  };
  await Promise.all([process(), process(), process(), process()]);
  assert.deepEqual([taken.length, new Set(taken).size], [1_300, 1_300]);
});
