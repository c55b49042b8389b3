/**
 * What statements read whose plans were made on empty tables: such plans are kept until a table's first ANALYZE, those of
 * foreign-key checks too. Each row and index entry that a statement reads is counted, and EXPLAIN shows its plan.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { analyseYoungTables } from '#platform/db/young-tables.ts';
import { startTestApp, type TestApp } from './harness/app.ts';
import { crowdSize, insertCrowd } from './reads/crowd.ts';
import { type HotPaths, hotPaths } from './reads/hot-paths.ts';
import { type Measured, type MeasuredDatabase, measuredDatabase } from './reads/measured-database.ts';

interface Limit {
  /** The reads of one table by one statement. */
  readonly rows: number;
  /** What a statement writes counts too: rows, index entries, and the way to each. */
  readonly pages: number;
}

const ofRequests: Limit = { rows: 40, pages: 120 };
/**
 * Its statements take many events or messages at once; the relay takes 200, with a page each, and reads the index entries of each one's
 * subject: three pages an event. That they read a whole table of the crowd would show.
 */
const ofBackground: Limit = { rows: crowdSize / 4, pages: 1_000 };

interface Filled {
  readonly app: TestApp;
  readonly db: MeasuredDatabase;
  readonly paths: HotPaths;
}

/** Every statement has its plan by then, made on empty tables; the tables are full, and not analysed. */
async function filled(
  early: (db: MeasuredDatabase, paths: HotPaths) => Promise<unknown> = async () => undefined,
): Promise<Filled> {
  let db: MeasuredDatabase | undefined;
  const app = await startTestApp({
    config: { webhooksAllowPrivate: true },
    async open(url) {
      db = await measuredDatabase(url);
      return db;
    },
  });
  assert.ok(db);
  const paths = await hotPaths(app);
  await paths.requests(0);
  await early(db, paths);
  await paths.requests(1);
  await paths.background(1);
  // By another connection, with plans of its own; autovacuum is off in tests.
  await insertCrowd(app.databaseUrl, paths);
  db.measure();
  return { app, db, paths };
}

const excess =
  (limit: Limit) =>
  ({ rows, pages }: Measured) =>
    Object.values(rows).some((n) => n > limit.rows) || pages > limit.pages;

/** The statement, what it read, how long its foreign-key checks took, and the tables and indexes of its plan. */
function describe({ text, rows, pages, triggers, plan }: Measured): string {
  const read = Object.entries(rows).filter(([, n]) => n > 0);
  const scans = JSON.stringify(plan).matchAll(/"(?:Index|Relation) Name":"(\w+)"/g);
  return [
    text.replace(/\s+/g, ' ').slice(0, 120),
    `read ${read.map(([table, n]) => `${table} ${n}`).join(', ')}; pages ${pages}`,
    `triggers ${triggers.map(({ name, ms }) => `${name} ${ms.toFixed(2)} ms`).join(', ')}`,
    `plan ${[...new Set([...scans].map(([, name]) => name))].join(' ')}`,
  ].join(' | ');
}

/** The measurements since the last call. */
function assertLittleRead({ measured }: MeasuredDatabase, limit: Limit, statementsAtLeast: number): void {
  const since = measured.splice(0);
  const texts = new Set(since.map(({ text }) => text));
  assert.ok(texts.size >= statementsAtLeast, `only ${texts.size} statements were measured`);
  assert.deepEqual([...new Set(since.filter(excess(limit)).map(describe))], []);
}

test('with plans that were made on empty tables, nothing that partners call reads more than it needs', async () => {
  const { db, paths } = await filled();
  await paths.requests(2);
  const creates = db.measured.filter(({ text }) => /INSERT INTO booking\b/.test(text));
  assertLittleRead(db, ofRequests, 25);
  // Of what a booking refers to, what keeps tenants apart is checked, and nothing twice.
  const fired = new Set(creates.flatMap(({ triggers }) => triggers.map(({ name }) => name)));
  const checks = [...fired].filter((name) => name.endsWith('_fkey'));
  assert.deepEqual(checks.sort(), [
    'booking_partner_id_workshop_id_fkey',
    'booking_workshop_id_customer_id_car_id_fkey',
    'car_workshop_id_customer_id_fkey',
    'customer_workshop_id_fkey',
    // Of a new customer it looks nothing up: they were merged into nobody.
    'customer_workshop_id_merged_into_fkey',
  ]);
});

test('neither do plans that are made again while the tables are full and have no statistics', async () => {
  const { db, paths } = await filled();
  // As a server does when other databases change faster than it follows.
  const forget = () => db.query('DISCARD PLANS');
  await forget();
  await paths.requests(2);
  assertLittleRead(db, ofRequests, 25);
  await forget();
  await paths.background(2);
  assertLittleRead(db, ofBackground, 15);
});

test('once young tables are analysed, neither does what gateways bring and what the worker does', async () => {
  const { db, paths } = await filled();
  const analysed = await analyseYoungTables(db);
  for (const table of ['customer', 'car', 'booking', 'conversation', 'message', 'event', 'workshop']) {
    assert.ok(analysed.includes(`public.${table}`), `${table} was not analysed`);
  }
  await paths.requests(2);
  assertLittleRead(db, ofRequests, 25);
  await paths.background(2);
  assertLittleRead(db, ofBackground, 15);
});

test('neither do plans that were made while the queue was empty and vacuumed', async () => {
  const { db, paths } = await filled(async (own, early) => {
    await early.background(0);
    await own.pool.query('VACUUM ANALYZE queued_message, send_queue, send_wake');
  });
  await paths.requests(2);
  assertLittleRead(db, ofRequests, 25);
  await paths.background(2);
  assertLittleRead(db, ofBackground, 15);
});

/** A busy server may forget its plans, when other databases change faster than it follows; those that it makes then are good. */
const attemptsAtMost = 3;

test('the measurement names a statement that reads a whole table since it is not planned once', async () => {
  const text = 'SELECT message_id FROM queued_message WHERE message_id = ANY ($1::uuid[])';
  const [usual, once] = [text, planOnce(`${text} AND true`)];
  const run = async ({ query }: MeasuredDatabase) => {
    for (const each of [usual, once]) await query(each, [[newId()]]);
  };
  const { db } = await filled(async (own) => {
    await own.pool.query('VACUUM ANALYZE queued_message');
    await run(own);
  });
  db.measured.splice(0);
  await run(db);
  assert.deepEqual(
    db.measured.filter(excess(ofRequests)).map((found) => found.text),
    [usual],
  );
});

test('the measurement detects an index that begins like the one that a foreign key uses', async () => {
  let found: Measured[] = [];
  for (let attempt = 1; found.length === 0 && attempt <= attemptsAtMost; attempt++) {
    const { db, paths } = await filled(({ pool }) =>
      pool.query(
        `ALTER TABLE customer DROP CONSTRAINT customer_phone_workshop_id_key, ADD UNIQUE (workshop_id, phone)`,
      ),
    );
    await paths.requests(2);
    found = db.measured.filter(excess(ofRequests));
  }
  const checks = found.flatMap(({ triggers }) => triggers.map(({ name }) => name));
  assert.ok(checks.includes('car_workshop_id_customer_id_fkey'), `found: ${found.map(describe).join('\n')}`);
  assert.ok(found.some(({ rows }) => (rows['customer'] ?? 0) >= crowdSize));
});
