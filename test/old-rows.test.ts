/** What is deleted or looked for by the machine's clock each minute or hour is found by an index, in full tables where nothing is old. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { purgeAttempts } from '#platform/attempts/store.ts';
import { copyMissed } from '#platform/audit/store.ts';
import type { Queryable } from '#platform/db/database.ts';
import { purgeUses } from '#platform/pages/bounds/store.ts';
import { deleteRecorded, findDue } from '#product/messaging/inbound/parts/store.ts';
import { purgeSignIns } from '#product/people/sessions/purge.ts';
import { deleteOldKeys } from '../src/console/frame/form-key/store.ts';
import type { Statement } from './fixtures/explain.ts';
import { assertLittleRead } from './fixtures/explained.ts';
import { createTestDatabase, withoutTriggers } from './harness/database.ts';

const { db, url } = await createTestDatabase({ poolSize: 1 });
const size = 30_000;
const hash = `sha256(n::text::bytea)`;
const id = 'gen_random_uuid()';
const later = `now() + interval '1 day' + n * interval '1 second'`;
const lately = `now() - n * interval '1 ms'`;

/** Columns of each table, and their values for `n`: none is old. */
const tables: Readonly<Record<string, readonly [string, string]>> = {
  attempt: ['source, attempts, expires_at', `${hash}, '{}', ${later}`],
  page_use: ['kind, subject, uses, expires_at', `'phone', n, '{}', ${later}`],
  form_key: ['person_id, key, location, created_at', `${id}, n, '/', ${lately}`],
  long_sms: [
    'id, gateway, sender, recipient, series, total, parts, charsets, begun_at, due_at',
    `${id}, 'g', n, 'r', n, 2, '{}', '{}', now(), ${later}`,
  ],
  sign_in_code: ['id, email, code_hmac, expires_at', `${id}, n, ${hash}, ${later}`],
  account_email: ['id, kind, email, due_at', `${id}, 'invitation', n, ${later}`],
  passkey_challenge: ['held_by, challenge, expires_at', `n, 'c', ${later}`],
  half_sign_in: ['browser_sha256, person_id, expires_at', `${hash}, ${id}, ${later}`],
  email_change: [
    'person_id, email, present_code_id, new_code_id, expires_at',
    `${id}, n, ${id}, ${id}, ${later}`,
  ],
  kept_form: ['session_id, sealed, expires_at', `${id}, 's', ${later}`],
  sign_in_address: ['token_sha256, person_id, expires_at', `${hash}, ${id}, ${later}`],
  shown_customer: ['person_id, workshop_id, customer_id, at', `${id}, ${id}, ${id}, ${lately}`],
  session_found: ['session_id, customer_id, at', `${id}, ${id}, ${lately}`],
  known_browser: ['person_id, browser_sha256, signed_in_at', `${id}, ${hash}, ${lately}`],
  session: [
    'id, token_sha256, person_id, signed_in_at, used_at, ended_at, network, browser',
    `${id}, ${hash}, ${id}, ${lately}, ${lately}, ${lately}, '', ''`,
  ],
  // Of 30 days; a hundred of the last two hours.
  event: [
    'id, kind, workshop_id, subject_id, version, payload, occurred_at, relayed_at, actor',
    `${id}, 'booking.created', ${id}, ${id}, 1, '{}', now(), now() - n * interval '72 seconds', 'schedule'`,
  ],
};
await withoutTriggers(url, async (rows) => {
  for (const [table, [columns, values]] of Object.entries(tables)) {
    await rows.query(
      `INSERT INTO ${table} (${columns}) SELECT ${values} FROM generate_series(1, ${size}) AS n`,
    );
    await rows.query(`ANALYZE ${table}`);
  }
});

/** What the work asks of the database. */
async function statementsOf(work: (db: Queryable) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const watching: Queryable = {
    query: (text, values = []) => {
      statements.push({ text, values });
      return db.query(text, values);
    },
  };
  await work(watching);
  return statements;
}

const found: readonly (readonly [string, (db: Queryable) => Promise<unknown>, number?])[] = [
  ['attempt_old', purgeAttempts],
  ['page_use_old', purgeUses],
  ['form_key_old', (tx) => deleteOldKeys(tx, 1_000)],
  ['long_sms_due', (tx) => findDue(tx, 'recordDueParts', 100)],
  ['long_sms_due', (tx) => deleteRecorded(tx, 100)],
  ['event_relayed', (tx) => copyMissed(tx, 1_000), 150],
];

for (const [index, work, rowsAtMost = 3] of found) {
  test(`${index} finds them (${index.replace(/_[a-z]+$/, '')})`, async () => {
    const [statement = assert.fail('nothing was asked'), ...others] = await statementsOf(work);
    assert.equal(others.length, 0);
    await assertLittleRead(db, statement, { table: index.replace(/_[a-z]+$/, ''), index, rowsAtMost });
  });
}

test('each of what sign-ins leave behind is found by its index', async () => {
  const own = new Map([
    ['session', 'session_used'],
    ['account_email', 'account_email_due'],
  ]);
  const statements = await statementsOf(purgeSignIns);
  const purged = statements.map((statement) => {
    const table = /DELETE FROM (\w+)/.exec(statement.text)?.[1] ?? assert.fail(statement.text);
    return [table, statement] as const;
  });
  assert.equal(purged.length, 11);
  for (const [table, statement] of purged) {
    assert.ok(table in tables, `${table} is not filled here`);
    const index = own.get(table) ?? `${table}_old`;
    await assertLittleRead(db, statement, { table, index, rowsAtMost: 3 });
  }
});
