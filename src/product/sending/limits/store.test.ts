/** The daily ceilings under concurrent use by two processes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { openDatabase } from '#platform/db/database.ts';
import { atEnd } from '../../../../test/harness/clean-up.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { type Ceilings, purgeDays, returnQuota, type SmsAccount, takeQuota } from './store.ts';

const { db, url } = await createTestDatabase();
const other = openDatabase({ url, poolSize: 10, applicationName: 'other' });
atEnd(() => other.close());

const account = (partnerId: string | null = newId(), workshopId = newId()) => ({ partnerId, workshopId });
const race = async (accounts: readonly SmsAccount[], ceilings: Ceilings) => {
  const taken = await Promise.all(accounts.map((one, n) => takeQuota(n % 2 ? db : other, one, ceilings)));
  return taken.filter((quota) => quota !== null).length;
};
async function sentOf(id: string | null): Promise<number> {
  const [row] = await db.query<{ sent: number }>('SELECT sent FROM sms_day WHERE subject_id = $1', [id]);
  return row?.sent ?? 0;
}

test('of a hundred concurrent SMS exactly as many pass as the ceiling allows', async () => {
  const one = account();
  assert.equal(await race(Array(100).fill(one), { partner: 30, workshop: null }), 30);
  assert.equal(await takeQuota(db, one, { partner: 30, workshop: null }), null);
  assert.deepEqual([await sentOf(one.partnerId), await sentOf(one.workshopId)], [30, 0]);
  const ofWorkshop = account(null);
  assert.equal(await race(Array(100).fill(ofWorkshop), { partner: 1, workshop: 40 }), 40);
});

test('neither ceiling is ever exceeded, and an SMS that one ceiling refuses does not count under the other', async () => {
  const [partnerId, workshops] = [newId(), [newId(), newId(), newId()]];
  const accounts = Array.from({ length: 90 }, (_, n) => account(partnerId, workshops[n % 3]));
  const passed = await race(accounts, { partner: 25, workshop: 7 });
  assert.ok(passed <= 21, `${passed}`);
  // One at a time, exactly the remaining quota passes.
  let more = 0;
  for (const one of accounts) if (await takeQuota(db, one, { partner: 25, workshop: 7 })) more++;
  assert.equal(passed + more, 21);
  assert.equal(await sentOf(partnerId), 21);
  for (const id of workshops) assert.equal(await sentOf(id), 7);
});

test('concurrent SMS with partners and workshops in crossed order never deadlock', async () => {
  const [partners, workshops] = [
    [newId(), newId()],
    [newId(), newId()],
  ];
  const accounts = Array.from({ length: 200 }, (_, n) => account(partners[n % 2], workshops[(n >> 1) % 2]));
  const ceilings = { partner: 1_000, workshop: 1_000 };
  const quota = await Promise.all(accounts.map((one, n) => takeQuota(n % 2 ? db : other, one, ceilings)));
  await Promise.all(
    accounts.map((one, n) => returnQuota(n % 3 ? db : other, one, quota[n] ?? { day: '', subjects: [] })),
  );
  for (const id of [...partners, ...workshops]) assert.equal(await sentOf(id), 0);
});

test('quota is returned at most once', async () => {
  const one = account();
  const ceilings = { partner: 1, workshop: 1 };
  const quota = await takeQuota(db, one, ceilings);
  assert.ok(quota);
  assert.equal(await takeQuota(db, one, ceilings), null);
  await returnQuota(db, one, quota);
  await returnQuota(db, one, quota);
  assert.ok(await takeQuota(db, one, ceilings));
  assert.equal(await takeQuota(db, one, ceilings), null);
});

test('without a ceiling nothing is counted', async () => {
  const one = account();
  assert.deepEqual((await takeQuota(db, one, { partner: null, workshop: null }))?.subjects, []);
  assert.deepEqual([await sentOf(one.partnerId), await sentOf(one.workshopId)], [0, 0]);
});

test('the next day starts at zero, and old days are deleted', async () => {
  const one = account();
  const ceilings = { partner: 1, workshop: null };
  assert.ok(await takeQuota(db, one, ceilings));
  await db.query('UPDATE sms_day SET day = day - 1');
  assert.ok(await takeQuota(db, one, ceilings));
  await purgeDays(db);
  const days = () => db.query('SELECT sent FROM sms_day WHERE subject_id = $1', [one.partnerId]);
  assert.equal((await days()).length, 2);
  // Oldest row first, so that no two rows have the same day at any time.
  await db.query('UPDATE sms_day SET day = day - 1 WHERE day < (SELECT max(day) FROM sms_day)');
  await db.query('UPDATE sms_day SET day = day - 1 WHERE day = (SELECT max(day) FROM sms_day)');
  await purgeDays(db);
  assert.equal((await days()).length, 1);
});
