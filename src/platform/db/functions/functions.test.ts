/** Functions and triggers as source: which edition a database has after upgrades, roll-backs and migrations at once. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { releasedFunctions, unraised } from '../../../../scripts/contract/functions.ts';
import { dumpSchema } from '../../../../scripts/dump-schema.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { until } from '../../../../test/harness/wait.ts';
import { inBulkTransaction } from '../bulk.ts';
import { type Database, openDatabase } from '../database.ts';
import { migrate, migrateWithin } from '../migrate.ts';
import { planFunctions } from './apply.ts';
import { functionFiles } from './list.ts';
import { type FunctionFile, objectsOf, readFunctionFiles } from './source.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const own = await readFunctionFiles();

/** A function that counts what is written to `tally`, with its trigger; `by` is what an edition adds for each row. */
const tally = (edition: number, by: number, when = ''): FunctionFile => ({
  path: 'src/tally/count_tally.sql',
  text: `-- Edition ${edition}.
-- Counts.
CREATE OR REPLACE FUNCTION count_tally() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.n := NEW.n + ${by};
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER tally_counted BEFORE INSERT ON tally FOR EACH ROW ${when}EXECUTE FUNCTION count_tally();
`,
});

async function withTally() {
  const { db, url } = await createTestDatabase();
  await db.pool.query('CREATE TABLE tally (n int NOT NULL)');
  const to = (...files: FunctionFile[]) => migrate(db, undefined, undefined, { functions: files });
  return { db, url, to };
}

async function written(db: Pick<Database, 'query'>): Promise<number | undefined> {
  const [row] = await db.query<{ n: number }>('INSERT INTO tally VALUES (0) RETURNING n');
  return row?.n;
}

describe('the files', () => {
  test('have a later edition where the text of the last release was changed', () => {
    const objects = own.flatMap(objectsOf);
    assert.deepEqual(unraised(releasedFunctions(root), objects), []);
    const [first] = objects.filter(({ kind }) => kind === 'function');
    assert.ok(first);
    const released = { [`function ${first.name}`]: `${first.edition} ${'0'.repeat(64)}` };
    assert.deepEqual(unraised(released, objects), [first.path]);
    assert.deepEqual(unraised(released, [{ ...first, edition: first.edition + 1 }]), []);
  });

  test('are those that stand in the list, and every function and trigger of the database stands in one', async () => {
    const found = globSync('src/**/*.sql', { cwd: root }).map((path) => path.slice('src/'.length));
    assert.deepEqual(found.sort(), [...functionFiles].sort());
    const { db } = await createTestDatabase({ poolSize: 1 });
    const present = await db.query<{ name: string }>(
      `SELECT 'function ' || proname AS name FROM pg_proc WHERE proowner = CURRENT_USER::regrole AND pronamespace = 'public'::regnamespace
       UNION ALL
       SELECT 'trigger ' || tgname || ' on ' || tgrelid::regclass FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`,
    );
    const sourced = own
      .flatMap(objectsOf)
      .map(({ kind, name, table }) => `${kind} ${name}${table === null ? '' : ` on ${table}`}`);
    assert.deepEqual(
      present.map(({ name }) => name),
      sourced.sort(),
    );
  });

  test('make what schema.sql has, also where each statement of theirs is run', async () => {
    const { db } = await createTestDatabase({ poolSize: 1 });
    for (const { sql } of own.flatMap(objectsOf)) await db.pool.query(sql);
    assert.equal(await dumpSchema(db), readFileSync(`${root}schema.sql`, 'utf8'));
  });

  test('are refused with anything else in them', () => {
    const file = (text: string) => ({ path: 'src/a.sql', text });
    const body = 'CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;\n';
    assert.equal(objectsOf(file(`-- Edition 12.\r\n${body}`))[0]?.edition, 12);
    for (const text of [
      body,
      `-- Edition 0.\n${body}`,
      `-- Edition 1.\n`,
      `-- Edition 1.\nDROP TABLE x;\n${body}`,
      `-- Edition 1.\n${body}CREATE TABLE x (id int);\n`,
      `-- Edition 1.\n${body.replace('OR REPLACE ', '')}`,
      `-- Edition 1.\n${body.replace(';', '')}`,
    ])
      assert.throws(() => objectsOf(file(text)), /src\/a\.sql is not read/, text);
  });
});

describe('always: editions', () => {
  test('a database that migrations made has the first edition of each, and nothing is left to do', async () => {
    const { db } = await createTestDatabase();
    assert.deepEqual(await planFunctions(db), { steps: [], files: [] });
  });

  test('an upgrade from a release without files replaces no trigger of a first edition, and waits for no table', async () => {
    const functions = own.map(({ path, text }) => ({
      path,
      text: text.replace(/^-- Edition \d+/, '-- Edition 1'),
    }));
    const { db } = await createTestDatabase();
    await db.pool.query(`DO $$ DECLARE one text; BEGIN
      FOR one IN SELECT format('COMMENT ON FUNCTION %s IS NULL', oid::regprocedure) FROM pg_proc
          WHERE proowner = CURRENT_USER::regrole AND pronamespace = 'public'::regnamespace
        UNION ALL SELECT format('COMMENT ON TRIGGER %I ON %s IS NULL', tgname, tgrelid::regclass) FROM pg_trigger WHERE NOT tgisinternal
      LOOP EXECUTE one; END LOOP; END $$`);
    assert.deepEqual((await planFunctions(db, functions)).files, []);
    await db.transaction(async (tx) => {
      await tx.query(`LOCK TABLE booking, message, customer, template IN ROW EXCLUSIVE MODE`);
      assert.deepEqual(await migrate(db, undefined, undefined, { functions }), []);
    });
    assert.deepEqual((await planFunctions(db, functions)).steps, []);
  });

  test('a function that a database lacks is made, and a later edition replaces it', async () => {
    const { db, to } = await withTally();
    assert.deepEqual(await to(tally(1, 1)), ['src/tally/count_tally.sql']);
    assert.deepEqual(await to(tally(1, 1)), []);
    assert.equal(await written(db), 1);
    assert.deepEqual(await to(tally(2, 10)), ['src/tally/count_tally.sql']);
    assert.equal(await written(db), 10);
  });

  test('a roll-back keeps the later edition, and the next upgrade has nothing to do', async () => {
    const { db, to } = await withTally();
    await to(tally(2, 10));
    assert.deepEqual(await to(tally(1, 1)), []);
    assert.equal(await written(db), 10);
    assert.deepEqual(await to(tally(2, 10)), []);
    // The text of the first edition again, as a later one.
    await to(tally(3, 1));
    assert.equal(await written(db), 1);
  });

  test('a text that was changed under its edition is refused, and nothing is changed', async () => {
    const { db, to } = await withTally();
    await to(tally(1, 1));
    await assert.rejects(to(tally(1, 2)), {
      message:
        'src/tally/count_tally.sql was changed after it was applied, under the same edition: restore it, or raise the number in its first line',
    });
    assert.equal(await written(db), 1);
  });

  test('one that an index was made with is not replaced: the index would be wrong', async () => {
    const { db, to } = await withTally();
    const twice = (edition: number, times: number) => ({
      path: 'src/tally/twice.sql',
      text: `-- Edition ${edition}.\nCREATE OR REPLACE FUNCTION twice(n int) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT ${times} * n $$;\n`,
    });
    await to(twice(1, 2));
    await db.pool.query('CREATE INDEX ON tally (twice(n))');
    await assert.rejects(
      to(twice(2, 3)),
      /src\/tally\/twice\.sql was changed, and an index was made with twice/,
    );
  });

  test('where one fails, none is replaced', async () => {
    const { db, to } = await withTally();
    await to(tally(1, 1));
    const broken = {
      path: 'src/tally/broken.sql',
      text: '-- Edition 1.\nCREATE OR REPLACE FUNCTION broken() RETURNS int LANGUAGE plpgsql AS $$ BEGIM $$;\n',
    };
    await assert.rejects(to(tally(2, 2), broken), /^Error: src\/tally\/broken\.sql failed: syntax error/);
    assert.equal(await written(db), 1);
  });
});

describe('always: beside the previous release', () => {
  test('its prepared statements go on, and meet each edition whole', async () => {
    const { url, to } = await withTally();
    await to(tally(1, 1));
    const before = openDatabase({ url, poolSize: 1, applicationName: 'test' });
    const statement = 'INSERT INTO tally VALUES (0) RETURNING n';
    const under = async () => (await before.query<{ n: number }>(statement))[0]?.n;
    assert.equal(await under(), 1);
    // Its transaction is open while the function is replaced: no lock keeps either waiting.
    await before.transaction(async (tx) => {
      assert.equal((await tx.query<{ n: number }>(statement))[0]?.n, 1);
      await to(tally(2, 10));
      // As it was, until the transaction ends: PostgreSQL looks for changes when it takes a lock that it does not have yet.
      assert.equal((await tx.query<{ n: number }>(statement))[0]?.n, 1);
    });
    assert.equal(await under(), 10);
    await before.close();
  });

  test('a trigger is replaced once nobody writes to its table', async () => {
    const { db, to } = await withTally();
    await to(tally(1, 1));
    let replaced: Promise<string[]> | undefined;
    await db.transaction(async (tx) => {
      await written(tx);
      replaced = to(tally(2, 1, 'WHEN (NEW.n < 5) '));
      await until('the trigger waits', async () => {
        const waits = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'tally'::regclass";
        return (await db.query(waits)).length > 0;
      });
    });
    assert.deepEqual(await replaced, ['src/tally/count_tally.sql']);
  });

  test('many processes at once: one replaces, the others wait for it', async () => {
    const { db, url } = await withTally();
    const pools = Array.from({ length: 4 }, () =>
      openDatabase({ url, poolSize: 1, applicationName: 'test' }),
    );
    // Half of them are of the previous release.
    const applied = await Promise.all(
      pools.map((one, n) => migrate(one, undefined, undefined, { functions: [tally((n % 2) + 1, n % 2)] })),
    );
    await Promise.all(pools.map((one) => one.close()));
    assert.ok(applied.flat().length >= 1 && applied.flat().length <= 2);
    assert.equal(await written(db), 1);
  });
});

test('a restore applies them within its transaction', async () => {
  const { db } = await createTestDatabase();
  await db.pool.query('DROP FUNCTION read_talks, known_zone');
  const attempt = await inBulkTransaction(db, (tx) => migrateWithin(tx));
  assert.deepEqual(attempt.applied, [
    'src/product/messaging/inbox/desk/read_talks.sql',
    'src/product/sending/known_zone.sql',
  ]);
  assert.deepEqual((await planFunctions(db)).steps, []);
});
