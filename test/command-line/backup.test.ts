/** `pitlane backup` and `restore`: from embedded to embedded, to a PostgreSQL 15 of one's own and back; pipes; files that are none. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Part, readArchive, writeArchive } from '#operation/backup/archive.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { startCluster } from '#platform/db/embedded/cluster.ts';
import { startEmbedded } from '#platform/db/embedded/embedded.ts';
import { contentsOf } from '../fixtures/backup.ts';
import { childEnvironment } from '../harness/child.ts';
import { createTestDatabase } from '../harness/database.ts';
import { scratchFolder } from '../harness/scratch.ts';
import { fail, json, runAlone, succeed } from './run.ts';

const folder = mkdtempSync(join(scratchFolder(), 'pitlane backup '));
// PostgreSQL runs as another user than root.
chmodSync(folder, 0o755);
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
const inFolder = (name: string) => join(folder, name);
const debian15 = '/usr/lib/postgresql/15/bin';
const key = 'a1'.repeat(32);

/** Contents, without the epoch: each restore begins one. */
async function rowsIn(url: string): Promise<Record<string, string>> {
  const db = openDatabase({ url, poolSize: 1, applicationName: 'test' });
  const { feed_epoch: _, ...rows } = await contentsOf(db).finally(() => db.close());
  return rows;
}

async function rowsOf(dataDir: string): Promise<Record<string, string>> {
  const embedded = await startEmbedded({ dataDir });
  return rowsIn(embedded.url).finally(() => embedded.stop());
}

describe('a move', { concurrency: false }, () => {
  const [first, file] = [inFolder('first'), inFolder('moved.backup')];
  let rows: Record<string, string> = {};

  test('backs an embedded database up beside its server, for its owner alone', async () => {
    const env = { PITLANE_DATA_DIR: first, PITLANE_SECRET_KEY: key };
    const embedded = await startEmbedded({ dataDir: first });
    try {
      await json(['migrate'], env);
      await json(['partner', 'create', '--name', 'Example Fleet'], env);
      await json(
        [
          ...['workshop', 'create', '--name', 'Carlton Motors', '--phone', '03 5550 0100'],
          ...['--email', 'desk@carlton.example', '--country', 'AU', '--timezone', 'Australia/Melbourne'],
        ],
        env,
      );
      const made = await json(['backup', file], env);
      assert.deepEqual([made.file, made.migration > '0027', made.rows > 3], [file, true, true]);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      await fail(['backup', file], env, 1, /moved\.backup exists already/);
      await fail(['backup', inFolder('no/such')], env, 1, /no such file or folder/);
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.includes('partial')),
        [],
      );
      rows = await rowsIn(embedded.url);
    } finally {
      await embedded.stop();
    }
  });

  test('restores it into an empty data folder, and says that the secret key is missing', async () => {
    const second = inFolder('second');
    const { stdout, stderr } = await succeed(['restore', file], { PITLANE_DATA_DIR: second }, runAlone);
    assert.match(stdout, /^restored \d+ rows of \d+ tables, of 20.*\nnothing waited\n$/);
    assert.match(stderr, /no secret key here yet.*PITLANE_SECRET_KEY/);
    assert.deepEqual(await rowsOf(second), rows);
    const env = { PITLANE_DATA_DIR: second };
    await fail(['restore', file], env, 1, /not empty \(table \w+ has rows\)/, runAlone);
  });

  test('restores it into a PostgreSQL 15 whose role owns the database and no more, and back from there', {
    skip: !existsSync(join(debian15, 'initdb')) && 'not installed',
  }, async () => {
    const cluster = await startCluster({
      dir: inFolder('own'),
      binDir: debian15,
      settings: { fsync: 'off' },
    });
    try {
      const admin = openDatabase({ url: cluster.superuserUrl, poolSize: 1, applicationName: 'test' });
      await admin.pool.query(`CREATE ROLE pitlane LOGIN PASSWORD 'change-me'`);
      await admin.pool.query(`CREATE DATABASE pitlane OWNER pitlane ENCODING 'UTF8' TEMPLATE template0`);
      await admin.close();
      const url = cluster.url('pitlane', 'change-me', 'pitlane');
      const env = { DATABASE_URL: url, PITLANE_SECRET_KEY: key };
      const restored = await json(['restore', file, '--send-waiting'], env);
      assert.deepEqual([restored.heldBack, restored.secretKey, restored.applied], [null, 'same', []]);
      assert.match((await json(['status'], env)).database.version, /^15\./);
      assert.deepEqual(await rowsIn(url), rows);
      const other = { ...env, PITLANE_SECRET_KEY: 'b2'.repeat(32), PITLANE_DATA_DIR: inFolder('third') };
      const { DATABASE_URL: _, ...embedded } = other;
      const back = inFolder('back.backup');
      await json(['backup', back], env);
      assert.equal((await json(['restore', back], embedded, runAlone)).secretKey, 'other');
      assert.deepEqual(await rowsOf(inFolder('third')), rows);
    } finally {
      await cluster.stop();
    }
  });
});

describe('files and pipes', () => {
  let source: { readonly db: Database; readonly url: string };
  let target: { readonly db: Database; readonly url: string };
  const file = inFolder('good.backup');
  before(async () => {
    source = await createTestDatabase();
    target = await createTestDatabase();
    await source.db.query(
      `INSERT INTO partner (id, name, created_at, updated_at)
       SELECT gen_random_uuid(), (SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 20 + n)), clock_timestamp(), clock_timestamp()
         FROM generate_series(1, 200) AS n`,
    );
    await succeed(['backup', file], { DATABASE_URL: source.url });
  });

  test('through pipes; a reader that ends early is a failure', async () => {
    const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
    const shell = (script: string, DATABASE_URL: string) =>
      spawnSync('bash', ['-c', `set -o pipefail; ${script}`, process.execPath, main], {
        env: childEnvironment({ DATABASE_URL }),
        encoding: 'utf8',
      });
    const piped = shell(`"$0" "$1" backup - | DATABASE_URL='${target.url}' "$0" "$1" restore -`, source.url);
    assert.equal(piped.status, 0, piped.stderr);
    assert.match(piped.stdout, /^restored/);
    assert.deepEqual(
      await target.db.query('SELECT name FROM partner ORDER BY 1'),
      await source.db.query('SELECT name FROM partner ORDER BY 1'),
    );
    assert.notEqual(shell('"$0" "$1" backup - | head -c 10 > /dev/null', source.url).status, 0);
    const env = { DATABASE_URL: source.url };
    await fail(['backup', '-', '--json'], env, 2, /name a file/);
    await fail(['backup'], env, 2, /name the file to write/);
  });

  test('--check reads a file, and needs no database', async () => {
    const summary = await json(['restore', file, '--check'], {});
    assert.ok(summary.rows > 200, JSON.stringify(summary));
    assert.match((await succeed(['restore', file, '--check'], {})).stdout, /good\.backup is whole: \d+ rows/);
  });

  test('what is no whole backup is one line, and no data folder is made for it', async () => {
    const good = readFileSync(file);
    const flipped = Buffer.from(good);
    flipped.writeUInt8(flipped.readUInt8(good.length >> 1) ^ 0x40, good.length >> 1);
    const manifestOf = (changes: object) => ({
      ...{ name: 'manifest.json' },
      content: Buffer.from(
        JSON.stringify({ kind: 'pitlane backup', format: 1, pitlane: '7.0.0', ...changes }),
      ),
    });
    const parts: Part[] = [];
    for await (const part of readArchive(PassThrough.from([good]))) parts.push(part);
    const changed = parts.map((part) =>
      part.name.startsWith('tables/partner/')
        ? { ...part, content: Buffer.from(part.content.toString().replace(/[0-9a-f]{40}/, 'a'.repeat(40))) }
        : part,
    );
    const cases: readonly [Buffer, RegExp][] = [
      [Buffer.of(), /is not a backup of Pitlane/],
      [Buffer.from('SELECT 1;\n'), /is not a backup of Pitlane/],
      [await archive([{ name: 'other.txt', content: Buffer.from('x') }]), /is not a backup of Pitlane/],
      [await archive([manifestOf({ format: 1 })]), /is not a backup of Pitlane/],
      [
        await archive([manifestOf({ format: 2 })]),
        /has format 2, .* reads format 1: restore it with Pitlane 7\.0\.0 or newer/,
      ],
      [good.subarray(0, 20), /is not a backup of Pitlane/],
      [good.subarray(0, good.length >> 1), /is (?:damaged|not a backup)/],
      [good.subarray(0, good.length - 1), /is damaged/],
      [flipped, /is damaged/],
      [await archive(parts.filter(({ name }) => name !== 'totals.json')), /is damaged/],
      [
        await archive(parts.filter(({ name }) => !name.startsWith('tables/partner/'))),
        /table partner is not as it was written/,
      ],
      [await archive(changed), /table partner is not as it was written/],
      [
        await archive([...parts, { name: 'tables/partner/000002.copy', content: Buffer.from('x\n') }]),
        /something follows its end/,
      ],
    ];
    const dataDir = inFolder('never');
    for (const [index, [content, message]] of cases.entries()) {
      const path = inFolder(`bad-${index}`);
      writeFileSync(path, content);
      await fail(['restore', path], { PITLANE_DATA_DIR: dataDir }, 1, message);
    }
    await fail(['restore', folder], { PITLANE_DATA_DIR: dataDir }, 1, /is not a file/);
    await fail(['restore', inFolder('absent')], { PITLANE_DATA_DIR: dataDir }, 1, /no such file/);
    assert.equal(existsSync(dataDir), false);
  });

  test('from a pipe, damage is found in the middle: nothing is restored', async () => {
    const { db, url } = await createTestDatabase();
    const good = readFileSync(file);
    await writeFile(inFolder('cut'), good.subarray(0, good.length - 100));
    const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [main, 'restore', '-'], {
      env: childEnvironment({ DATABASE_URL: url }),
      input: readFileSync(inFolder('cut')),
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^(?:restored: .*\n)*pitlane: standard input is damaged .*nothing of it is restored.*\n$/,
    );
    assert.deepEqual(await db.query('SELECT FROM partner'), []);
    const [keys] = await db.query(
      `SELECT count(*)::int > 40 AS there FROM pg_constraint WHERE contype = 'f'`,
    );
    assert.deepEqual(keys, { there: true });
  });
});

async function archive(parts: readonly Part[]): Promise<Buffer> {
  const to = new PassThrough();
  const whole = buffer(to);
  await writeArchive(
    (async function* () {
      yield* parts;
    })(),
    to,
  );
  return whole;
}
