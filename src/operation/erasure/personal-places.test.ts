/** Every column that could hold a word about a customer is one that the tests of erasure fill, or is named here as one that holds none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { createPartner } from '#product/partners/create.ts';
import { createWorkshop } from '#product/workshops/create.ts';
import { setLink } from '#product/workshops/link.ts';
import { tablesOf, withoutCustomers } from '../../../test/fixtures/personal-tables.ts';
import { leaveTraces } from '../../../test/fixtures/traces.ts';
import { testClock } from '../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';

/** Of the other tables: codes, ids, states, kinds, digests, and what is asked of a car. */
const withoutWords = new Set(
  `id code key cause reference_id external_id segment_id gateway_id gateway_message_id catalog_code state status kind channel direction audience
   encoding reason outcome source actor request_id action subject_kind held_to job gateway content_type details_from email_bounce page_withholds
   fingerprint passed charsets service_category service_package_type services service_minutes counted_services counted_categories
   date_order counts row_sha256 heads_sha256 matched mark mark_before after_kind stays car_make car_model car_badge make model badge sender report`.split(
    /\s+/,
  ),
);

/** Filled in no test here, but gone with its row, or overwritten with it. */
const goesWithItsRow = new Set([
  'import_file.content',
  'import_file.file_content',
  'message_attachment.content',
  'sandbox_message.subject',
  'sandbox_message.html',
  'sandbox_message.calendar',
  'long_sms.parts',
  'unplaced_sms.recipient',
  'unplaced_sms.attachments',
  // Ids of what failed.
  'dead_letter.payload',
  'dead_letter.flags',
  // What a workshop offers, and where its partner shows it.
  'quote.lines',
  'quote.url',
]);

test('no column that could hold a word about a customer is forgotten', async () => {
  const { db } = await createTestDatabase();
  const clock = testClock();
  const { partnerId } = await createPartner({ db, clock }, 'P', actors.operator);
  const settings = {
    name: 'W',
    country: 'AU',
    timezone: 'Australia/Perth',
    phone: '0491570006',
    email: 'a@b.example',
  };
  const { workshopId } = await createWorkshop({ db, clock }, settings, actors.operator);
  await setLink({ db, clock }, { partnerId, workshopId, active: true }, actors.operator);
  await leaveTraces(db, { partnerId, workshopId, at: clock.now() }, 'MARKMINE', '+61491570313');

  const columns = await db.query<{ tableName: string; columnName: string }>(
    `SELECT table_name, column_name FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type IN ('text', 'character varying', 'json', 'jsonb', 'ARRAY', 'bytea') ORDER BY 1, ordinal_position`,
    [],
  );
  assert.ok(columns.length > 200);
  const exempt = tablesOf(withoutCustomers);
  const tables = Map.groupBy(
    columns.filter(({ tableName }) => !exempt.has(tableName)),
    ({ tableName }) => tableName,
  );
  const forgotten: string[] = [];
  for (const [table, its] of tables) {
    const names = its.map(({ columnName }) => columnName);
    const holds = names.map(
      (name) => `bool_or(row(t."${name}")::text ~ 'MARKMINE|61491570313') AS "${name}"`,
    );
    const { rows } = await db.pool.query<Record<string, boolean>>(`SELECT ${holds} FROM "${table}" AS t`);
    const open = names.filter((name) => !rows[0]?.[name] && !withoutWords.has(name));
    forgotten.push(...open.map((name) => `${table}.${name}`).filter((name) => !goesWithItsRow.has(name)));
  }
  assert.deepEqual(forgotten, [], 'fill these in test/fixtures/traces.ts, and have the erasure empty them');
});
