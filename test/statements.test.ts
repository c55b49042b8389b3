/** `statements.sql`: every statement of the product is one that PostgreSQL understands, on a database after all migrations. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { withConnection } from '#platform/db/database.ts';
import { describer } from '../scripts/statements/columns.ts';
import { present } from '../scripts/statements/dump.ts';
import { compose, type Entry, parse } from '../scripts/statements/mirror.ts';
import { unlikeRows } from '../scripts/statements/rows.ts';
import { toldStatements } from '../scripts/statements/told.ts';
import { createTestDatabase } from './harness/database.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const mirror = readFileSync(`${root}statements.sql`, 'utf8');
const entries = parse(mirror);
const { db } = await createTestDatabase({ poolSize: 1 });
const [server] = await db.query<{ number: number }>(
  "SELECT current_setting('server_version_num')::int AS number",
);
/** Only PostgreSQL from 16 on tells the columns of what is prepared; the source is the same on every server. */
const isSecondServer = (server?.number ?? 0) < 160_000;

/** What PostgreSQL says of each that it does not understand. */
async function refused(statements: readonly Entry[]): Promise<string[]> {
  const client = await db.pool.connect();
  const found: string[] = [];
  for (const { file, name, text } of statements) {
    await client.query('DEALLOCATE ALL');
    await client
      .query(`PREPARE statement AS ${text}`)
      .catch((error: Error) => found.push(`${file}: ${name}: ${error.message}`));
  }
  client.release();
  return found;
}

test('each statement can be prepared', async () => {
  assert.ok(entries.length > 300, `only ${entries.length} statements were read`);
  assert.deepEqual(await refused(entries), []);
});

describe('the source, read by the compiler', { skip: isSecondServer }, () => {
  const told = isSecondServer ? [] : toldStatements();

  test('the file has what it tells', () => {
    assert.ok(told.filter(({ text }) => text !== null).length > 600, 'few texts are told');
    const now = present(told).map(({ file, name, text }) => `${file}: ${name}\n${text}`);
    const known = new Set(entries.map(({ file, name, text }) => `${file}: ${name}\n${text}`));
    const unlike = [...known.symmetricDifference(new Set(now))];
    assert.deepEqual(unlike, [], 'run `npm run mirrors` and commit the result');
  });

  test('each statement returns what its caller reads, by name and type', async () => {
    assert.ok(told.filter(({ fields }) => fields !== null).length > 400, 'few rows are read');
    await withConnection(db.pool, async (client) => {
      assert.deepEqual(await unlikeRows(told, entries, await describer(client)), []);
    });
  });

  test('a column that has another name or type is noticed, in a text that is told and in one that is composed', async () => {
    const broken = (name: string, from: string, to: string) =>
      withConnection(db.pool, async (client) => {
        const change = (text: string) => {
          assert.ok(text.includes(from), text);
          return text.replaceAll(from, to);
        };
        const own = told
          .filter((site) => site.name === name)
          .map((site) => ({ ...site, text: site.text && change(site.text) }));
        const sent = entries
          .filter((entry) => entry.name === name)
          .map((entry) => ({ ...entry, text: change(entry.text) }));
        return (await unlikeRows(own, sent, await describer(client))).join('\n');
      });
    assert.match(
      await broken('countShownTo', 'reset_ms', 'reset_ms AS reset'),
      /^src\/product\/people\/shown\/store\.ts:\d+ countShownTo reads resetMs, which the statement does not return$/,
    );
    assert.match(
      await broken('countShownTo', 'reset_ms', 'reset_ms::text AS reset_ms'),
      /reads resetMs as number, and the statement returns text$/,
    );
    assert.match(
      await broken('listPeople', 'created_at', 'created_at AS made_at'),
      /listPeople reads createdAt, which the statement does not return/,
    );
  });
});

/** The types of each statement's columns, as PostgreSQL from 16 on tells them. */
async function columnsOf(statements: readonly Entry[]): Promise<string[]> {
  const client = await db.pool.connect();
  const found: string[] = [];
  try {
    for (const { file, name, text } of statements) {
      await client.query('DEALLOCATE ALL');
      const types = await client
        .query(`PREPARE statement AS ${text}`)
        .then(() =>
          client.query<{ types: string }>('SELECT result_types::text AS types FROM pg_prepared_statements'),
        )
        .then(({ rows }) => rows[0]?.types)
        .catch(({ message }: Error) => message);
      found.push(`${file}: ${name}: ${types}`);
    }
    return found;
  } finally {
    client.release(true);
  }
}

test('a further column of each table changes no result, so that statements prepared before a migration go on', async (t) => {
  if (isSecondServer) return t.skip('only PostgreSQL from 16 on tells the columns');
  const before = await columnsOf(entries);
  await db.pool.query(`DO $$ DECLARE one regclass; BEGIN
    FOR one IN SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
    LOOP EXECUTE format('ALTER TABLE %s ADD COLUMN of_a_later_release int', one); END LOOP; END $$`);
  assert.deepEqual(await columnsOf(entries), before);
});

test('one that can not is named by its file', async () => {
  const broken = [
    { file: 'src/product/bookings/store.ts', name: 'readBooking', text: 'SELECT colour FROM booking' },
  ];
  assert.deepEqual(await refused(broken), [
    'src/product/bookings/store.ts: readBooking: column "colour" does not exist',
  ]);
});

test('the file is in order, and each statement stands below a file that has its declaration', () => {
  assert.equal(compose(entries), mirror);
  const lost = entries.filter(({ file, name }) => {
    const path = `${root}${file}`;
    return !existsSync(path) || !new RegExp(`\\b${name}\\b`).test(readFileSync(path, 'utf8'));
  });
  assert.deepEqual(
    lost.map(({ file, name }) => `${file}: ${name}`),
    [],
  );
});
