/** What a statement names, and what is unique over all workshops, as PostgreSQL's own parser reads them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { childEnvironment, shortLived } from '../../test/harness/child.ts';
import { globalKeysOf, tenantsOf } from './tenants.ts';

async function tenantOf(text: string): Promise<string> {
  const [found] = await tenantsOf([{ file: 'x.ts', name: 'x', text }]);
  return found?.tenant ?? '';
}

test('a statement names a workshop by a value for its column, its id, or a column of each call', async () => {
  for (const text of [
    'SELECT FROM booking b WHERE b.workshop_id = $1 AND b.partner_id = $2',
    'SELECT FROM booking WHERE workshop_id = ANY ($1::uuid[])',
    'SELECT FROM booking WHERE (workshop_id, phone) = ($1, $2)',
    'SELECT w.name FROM workshop w JOIN link l ON l.workshop_id = w.id WHERE w.id = $1',
    'UPDATE workshop SET name = $2 WHERE id = $1',
    'INSERT INTO tag (id, workshop_id) VALUES ($1, $2)',
    'INSERT INTO tag (workshop_id) SELECT $1 FROM customer',
    'WITH i AS (SELECT * FROM jsonb_to_recordset($1) AS r (workshop_id uuid)) SELECT FROM i JOIN booking USING (workshop_id)',
  ]) {
    assert.equal(await tenantOf(text), 'workshop', text);
  }
});

test('a partner, where no workshop is named', async () => {
  assert.equal(await tenantOf('SELECT FROM booking WHERE id = $1 AND partner_id = $2'), 'partner');
  assert.equal(await tenantOf('SELECT FROM partner WHERE id = $1'), 'partner');
});

test('neither: another key, or a workshop of the row itself', async () => {
  for (const text of [
    'SELECT FROM access_token WHERE hash = $1',
    'SELECT FROM booking b JOIN customer c ON c.workshop_id = b.workshop_id WHERE b.id = $1',
    'SELECT workshop_id FROM booking WHERE workshop_id > $1',
    'INSERT INTO tag (workshop_id, name) SELECT workshop_id, $1 FROM customer',
  ]) {
    assert.equal(await tenantOf(text), 'neither', text);
  }
});

test('unique over all workshops: keys without a workshop, but for ids', async () => {
  const keys = await globalKeysOf(`
    CREATE TABLE quote (id uuid PRIMARY KEY, code text NOT NULL UNIQUE, workshop_id uuid, phone text);
    ALTER TABLE quote ADD CONSTRAINT quote_phone UNIQUE (workshop_id, phone);
    CREATE UNIQUE INDEX quote_lower ON quote (lower(phone));
    CREATE INDEX quote_plain ON quote (phone);
    CREATE TABLE session (token_sha256 bytea, CONSTRAINT session_pkey PRIMARY KEY (token_sha256));`);
  assert.deepEqual(keys.map(({ table, columns }) => `${table} ${columns.join(' ')}`).sort(), [
    'quote code',
    'quote phone',
    'session token_sha256',
  ]);
});

test('an option that there is none of: a line, the usage, and 2', () => {
  const [run = '', script = ''] = ['../../bin/run.mjs', '../tenants.ts'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [...shortLived, run, script, '--all'], {
    ...{ env: childEnvironment({}), encoding: 'utf8', timeout: 60_000 },
  });
  assert.deepEqual([status, stdout], [2, '']);
  assert.match(stderr, /^Unknown option '--all'\n\nnpm run tenants /);
});
