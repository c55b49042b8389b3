/** The counts of a blast are updated with each change of a recipient: always correct, cheap to read, and without lock waits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';
import { migrate, readMigrations } from '#platform/db/migrate.ts';
import { campaignWorld } from '../../../../test/fixtures/campaigns.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { blastsToEmpty, deleteRecipients } from './recipients/store.ts';
import { findBlast, fixCounts, listBlasts } from './store.ts';

const { db, workshopId, blast } = await campaignWorld();
const states = ['waiting', 'queued', 'sent', 'delivered', 'failed', 'unknown', 'skipped'] as const;
type State = (typeof states)[number];

const customers = (count: number) => Array.from({ length: count }, () => newId());
const insert = (tx: Queryable, id: string, people: readonly string[]) =>
  tx.query('INSERT INTO blast_recipient (blast_id, customer_id) SELECT $1, unnest($2::uuid[])', [id, people]);
const change = (tx: Queryable, id: string, people: readonly string[], state: State) =>
  tx.query('UPDATE blast_recipient SET state = $3 WHERE blast_id = $1 AND customer_id = ANY ($2::uuid[])', [
    ...[id, people, state],
  ]);
const countsOf = async (tx: Queryable, id: string) => (await findBlast(tx, null, id))?.counts;

/** The counts, computed from the recipients. */
async function counted(tx: Queryable, id: string, isCancelled = false) {
  const rows = await tx.query<{ state: State; count: number }>(
    'SELECT state, count(*)::int AS count FROM blast_recipient WHERE blast_id = $1 GROUP BY state',
    [id],
  );
  const of = (...wanted: State[]) =>
    rows.filter(({ state }) => wanted.includes(state)).reduce((sum, { count }) => sum + count, 0);
  return {
    ...{ recipients: of(...states), waiting: of('queued') + (isCancelled ? 0 : of('waiting')) },
    ...{ sent: of('sent', 'delivered'), delivered: of('delivered'), failed: of('failed') },
    ...{ unknown: of('unknown'), skipped: of('skipped') + (isCancelled ? of('waiting') : 0) },
  };
}

test('concurrent changes of several blasts, in large transactions, some rolled back: the counts equal those of the recipients', async () => {
  const people = customers(12);
  const step = fc.record({
    changes: fc.array(
      fc.record({
        blast: fc.nat(1),
        of: fc.subarray(people, { minLength: 1 }),
        state: fc.constantFrom(...states),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    isUndone: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (steps, isCancelled) => {
        const ids = [await blast(), await blast()];
        for (const id of ids) await insert(db, id, people);
        const undo = new Error('undone');
        const run = async ({ changes, isUndone }: (typeof steps)[number]) =>
          db
            .transaction(async (tx) => {
              for (const { blast: n, of, state } of changes) {
                await change(tx, ids[n] ?? '', of.toSorted(), state);
                assert.deepEqual(await countsOf(tx, ids[n] ?? ''), await counted(tx, ids[n] ?? ''));
              }
              if (isUndone) throw undo;
            })
            .catch((error) => error === undo || Promise.reject(error));
        // In sequence, because the counts in between are checked. The next test is concurrent.
        for (const each of steps) await run(each);
        if (isCancelled)
          await db.query(`UPDATE blast SET status = 'cancelled' WHERE id = ANY ($1::uuid[])`, [ids]);
        for (const id of ids) assert.deepEqual(await countsOf(db, id), await counted(db, id, isCancelled));
      },
    ),
    { numRuns: 20 },
  );
});

test('concurrent outcomes of one blast do not wait for each other, and all are counted', {
  timeout: 20_000,
}, async () => {
  const id = await blast();
  const people = customers(40);
  await insert(db, id, people);
  const [held = '', ...others] = people;
  await db.transaction(async (tx) => {
    await change(tx, id, [held], 'sent');
    // Locks every row of counts that another transaction could choose.
    await tx.query('SELECT FROM blast_count WHERE blast_id = $1 FOR UPDATE', [id]);
    await Promise.all(others.map((one) => change(db, id, [one], 'delivered')));
    assert.deepEqual(await countsOf(db, id), { ...(await counted(db, id)), sent: 39, waiting: 1 });
  });
  assert.deepEqual(await countsOf(db, id), {
    ...(await counted(db, id)),
    sent: 40,
    delivered: 39,
    waiting: 0,
  });
  const [rows] = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM blast_count WHERE blast_id = $1',
    [id],
  );
  assert.ok(rows && rows.count <= 32 + 10, `${rows?.count} rows`);
});

test('one blast and the list are read without reading their recipients', async () => {
  const id = await blast();
  await insert(db, id, customers(500));
  const rowsRead = async (tx: Queryable) => {
    const [read] = await tx.query<{ rows: number }>(
      `SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'blast_recipient'`,
    );
    return read?.rows;
  };
  await db.transaction(async (tx) => {
    const before = await rowsRead(tx);
    assert.equal((await findBlast(tx, workshopId, id))?.counts.recipients, 500);
    assert.ok((await listBlasts(tx, workshopId, null, 100)).some(({ counts }) => counts.waiting === 500));
    assert.equal(await rowsRead(tx), before);
  });
});

test('recipients of old blasts are deleted a few at a time, and the counts stay unchanged', async () => {
  const [id, empty] = [await blast(), await blast()];
  const people = customers(7);
  await insert(db, id, people);
  await change(db, id, people.slice(0, 3), 'sent');
  await db.query(`UPDATE blast SET status = 'cancelled', ended_at = created_at WHERE id IN ($1, $2)`, [
    id,
    empty,
  ]);
  const before = await countsOf(db, id);
  assert.equal(before?.skipped, 4);
  assert.equal(await fixCounts(db, new Date('2999-01-01'), 10), 2);
  assert.ok((await blastsToEmpty(db)).includes(id));
  const left: number[] = [];
  let more = true;
  while (more) {
    more = await deleteRecipients(db, id, 3);
    left.push((await counted(db, id)).recipients);
    assert.deepEqual(await countsOf(db, id), before);
  }
  assert.deepEqual(left, [4, 1, 0]);
  assert.ok(!(await blastsToEmpty(db)).includes(id));
});

test('blasts of an earlier release are counted by the migration', async () => {
  const { db: old } = await createTestDatabase();
  await old.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const names = (await readMigrations()).map(({ name }) => name);
  const at = names.findIndex((name) => name.endsWith('_campaign_growth.sql'));
  await migrate(old, undefined, names[at - 1]);
  const [id, fixed] = [newId(), newId()];
  const people = customers(9);
  await old.query('ALTER TABLE blast DROP CONSTRAINT blast_workshop_id_fkey');
  await old.query('ALTER TABLE blast DROP CONSTRAINT blast_workshop_id_template_id_fkey');
  await old.query(
    `INSERT INTO blast (id, workshop_id, name, template_id, audience, counts, created_at, updated_at)
     SELECT id, $3, 'B', $3, '{}', CASE id WHEN $2 THEN '{"recipients":1}'::jsonb END, clock_timestamp(), clock_timestamp() FROM unnest(ARRAY[$1::uuid, $2]) AS id`,
    [id, fixed, newId()],
  );
  await insert(old, id, people);
  await change(old, id, people.slice(0, 4), 'delivered');
  await change(old, id, people.slice(4, 6), 'failed');
  // Triggered before numbers of other countries were left out: they go on as they were previewed, drafts do not.
  const triggered = newId();
  await old.query(
    `INSERT INTO blast (id, workshop_id, name, template_id, audience, status, created_at, updated_at)
     SELECT $1, workshop_id, name, template_id, '{}', 'scheduled', created_at, updated_at FROM blast WHERE id = $2`,
    [triggered, id],
  );
  await migrate(old);
  const goesTo = async (of: string) => (await findBlast(old, null, of))?.otherCountries;
  assert.deepEqual([await goesTo(id), await goesTo(triggered)], [false, true]);
  assert.deepEqual(await countsOf(old, id), await counted(old, id));
  await change(old, id, people.slice(2), 'sent');
  assert.deepEqual(await countsOf(old, id), await counted(old, id));
  assert.deepEqual(await countsOf(old, fixed), { recipients: 1 });
});
