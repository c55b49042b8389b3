/** What an export has: every table with data about customers, every column of it, all rows of the customer, and of nobody else. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { createPartner } from '#product/partners/create.ts';
import { createWorkshop } from '#product/workshops/create.ts';
import { setLink } from '#product/workshops/link.ts';
import { tablesOf, withoutCustomers } from '../../../test/fixtures/personal-tables.ts';
import { leaveTraces } from '../../../test/fixtures/traces.ts';
import { testClock } from '../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { exportParts, recordExport } from './export-customer.ts';
import { exportJson } from './json.ts';
import { sections } from './sections/store.ts';

const { db } = await createTestDatabase();
const clock = testClock();
const [mine, phone] = ['MARKMINE', '+61491570313'];
const [theirs, theirPhone] = ['MARKTHEIRS', '+61491570737'];
let workshopId = '';
let elsewhere = '';
let customerId = '';
let otherId = '';

before(async () => {
  const settings = {
    ...{ name: 'W', country: 'AU', timezone: 'Australia/Perth', phone: '0491570006', email: 'a@b.example' },
  };
  const { partnerId } = await createPartner({ db, clock }, 'P', actors.operator);
  ({ workshopId } = await createWorkshop({ db, clock }, settings, actors.operator));
  ({ workshopId: elsewhere } = await createWorkshop(
    { db, clock },
    { ...settings, name: 'V' },
    actors.operator,
  ));
  await setLink({ db, clock }, { partnerId, workshopId, active: true }, actors.operator);
  const place = { partnerId, workshopId, at: clock.now() };
  customerId = await leaveTraces(db, place, mine, phone);
  otherId = await leaveTraces(db, place, theirs, theirPhone);
});

/** Tables about customers that are in no export, by the reason. */
const notExported: Readonly<Record<string, string>> = {
  'copies of what the export has, on their way or to be found by':
    'event held_event queued_message sandbox_message search_customer search_term search_due',
  'of no workshop: only the operator has them': 'unplaced_sms long_sms dead_letter failed_work',
  'a secret that opens a booking': 'manage_link',
  'a secret that stops texts to a number': 'way_out',
  'whose number a customer apart has, who is exported with them': 'customer_apart',
  'files of other systems until they are imported, of all their customers, which an erasure deletes; digests of their rows; and for an hour what they changed':
    'import_file import_form import_row import_run import_change',
  'ids and times of the last seconds, or of what staff looked up in the last hour':
    'message_rate session_found shown_customer',
  'state of work, without anything about customers':
    'blast_count business_clock feed_mark feed_start link search_sweep webhook_lane webhook_wake write_probe',
};

type Exported = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
async function exported(of: string): Promise<Exported> {
  const pieces: string[] = [];
  for await (const piece of exportJson({ db, clock, replica: null }, { workshopId, customerId: of }))
    pieces.push(piece);
  return JSON.parse(pieces.join(''));
}

const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

test('every table is one of the export’s, or is named as one that is not; so is every column of its tables (specification: Erasure and retention 2)', async () => {
  const columns = await db.query<{ tableName: string; columnName: string }>(
    `SELECT table_name, column_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const tables = Map.groupBy(columns, ({ tableName }) => tableName);
  const known = new Set([
    ...sections.map(({ table }) => table),
    ...tablesOf(withoutCustomers),
    ...tablesOf(notExported),
  ]);
  assert.deepEqual(
    [...tables.keys()].filter((name) => !known.has(name)),
    [],
    'tables that no export knows',
  );
  for (const table of new Set(sections.map((section) => section.table))) {
    const its = sections.filter((section) => section.table === table);
    const named = new Set(
      its.flatMap(({ columns: shown, leftOut, made = {} }) => [
        ...[...shown, ...leftOut],
        ...Object.values(made).flatMap((sql) => [...sql.matchAll(/\bt\.(\w+)/g)].map(([, name]) => name)),
      ]),
    );
    const all = tables.get(table)?.map(({ columnName }) => columnName) ?? [];
    assert.deepEqual(
      all.filter((name) => !named.has(name)),
      [],
      `columns of ${table} that no export knows`,
    );
    for (const name of its.flatMap(({ leftOut }) => leftOut))
      assert.ok(all.includes(name), `${table}.${name}`);
  }
});

test('each column with personal details is in it, and nothing of anybody else (specification: Erasure and retention 2)', async () => {
  await db.query(`UPDATE message SET subject = $2 WHERE customer_id = $1`, [customerId, mine]);
  const all = await exported(customerId);
  assert.deepEqual(Object.keys(all), ['exportedAt', ...sections.map(({ name }) => name)]);
  const text = JSON.stringify(all);
  for (const other of [theirs, theirPhone.slice(1), otherId]) assert.ok(!text.includes(other), other);
  for (const { name, table, columns } of sections) {
    const rows = sections.filter((each) => each.table === table).flatMap((each) => all[each.name] ?? []);
    const { rows: held } = await db.pool.query<Record<string, boolean>>(
      `SELECT ${columns.map((column) => `bool_or(t."${column}"::text ~ 'MARKMINE|61491570313') AS "${column}"`)} FROM ${table} AS t`,
    );
    for (const column of columns.filter((each) => held[0]?.[each])) {
      const shown = rows.some((row) =>
        /MARKMINE|61491570313/.test(JSON.stringify(row[camel(column)] ?? null)),
      );
      assert.ok(shown, `${name}: ${column}`);
    }
  }
  const [customer] = all['customer'] ?? [];
  assert.deepEqual([customer?.['id'], customer?.['phone']], [customerId, phone]);
  assert.equal(all['keptAnswers']?.length, 1);
  assert.equal(all['partners']?.[0]?.['name'], 'P');
  assert.equal(all['automationRuns']?.[0]?.['automation'], 'A');
});

test('what an entry says of whoever had a record before is not in it, and staff are without names (specification: Erasure and retention 5)', async () => {
  const [booking] = await db.query<{ id: string }>('SELECT id FROM booking WHERE customer_id = $1 LIMIT 1', [
    customerId,
  ]);
  const staff = newId();
  const ids = [newId(), newId(), newId()].sort();
  const entry = (was: object | null, is: object | null) =>
    db.query(
      `INSERT INTO audit_entry (id, occurred_at, workshop_id, actor, subject_kind, subject_id, action, before, after)
       VALUES ($6, now(), $1, $2, 'booking', $3, 'booking.updated', $4, $5)`,
      [workshopId, `person ${staff}`, booking?.id, was, is, ids.shift()],
    );
  await entry({ notes: 'FORMER' }, { notes: 'FORMER two' });
  await entry({ customerId: otherId, customerName: 'FORMER' }, { customerId, customerName: 'Mine' });
  await entry({ notes: 'a' }, { notes: 'KEPT' });
  const { changes = [] } = await exported(customerId);
  const text = JSON.stringify(changes);
  assert.doesNotMatch(text, /FORMER/);
  assert.ok(!text.includes(otherId) && !text.includes(staff));
  assert.match(text, /KEPT/);
  assert.match(text, /"customerName":"Mine"/);
  assert.ok(changes.some(({ by }) => by === 'staff'));
});

test('ten thousand messages come in pages, and hold up nobody', async () => {
  await db.query(
    `INSERT INTO message (id, workshop_id, conversation_id, customer_id, direction, recipient, body, encoding, segments, state, kind, created_at, updated_at)
     SELECT gen_random_uuid(), $1, c.id, $2, 'outbound', $3, 'Text ' || n, 'gsm7', 1, 'delivered', 'reply', now(), now()
       FROM conversation c, generate_series(1, 10000) AS n WHERE c.customer_id = $2`,
    [workshopId, customerId, phone],
  );
  let [pages, rows, turns, isOver] = [0, 0, 0, false];
  const counting = (async () => {
    while (!isOver) {
      await setImmediate();
      turns++;
    }
  })();
  for await (const { section, rows: found } of exportParts(
    { db, replica: null },
    { workshopId, customerId },
  )) {
    assert.ok(found.length <= (section.pageSize ?? 500));
    if (section.name === 'messages') [pages, rows] = [pages + 1, rows + found.length];
  }
  isOver = true;
  await counting;
  assert.ok(pages >= 20 && turns > pages, `${pages} pages, ${turns} turns`);
  assert.equal(rows, 10_003);
});

test('each export stands in the trail, with how; of another workshop or an unknown customer there is none (specification: Erasure and retention 2)', async () => {
  const of = { workshopId, customerId, as: 'json', actor: actors.operator } as const;
  await recordExport({ db, clock }, of);
  const entries = () =>
    db.query(`SELECT actor, after FROM audit_entry WHERE action = 'customer.exported' AND subject_id = $1`, [
      customerId,
    ]);
  assert.deepEqual(await entries(), [{ actor: 'operator', after: { as: 'json' } }]);
  for (const wrong of [
    { ...of, workshopId: elsewhere },
    { ...of, customerId: newId() },
  ])
    await assert.rejects(recordExport({ db, clock }, wrong), { status: 404 });
  await assert.rejects(exportParts({ db, replica: null }, { workshopId: elsewhere, customerId }).next(), {
    status: 404,
  });
  assert.equal((await entries()).length, 1);
});

test('of a customer who was merged all rows are in it, by the id of either, and still of nobody else (specification: Merging customers 7)', async () => {
  const [partner] = await db.query<{ id: string }>('SELECT id FROM partner LIMIT 1');
  const place = { partnerId: partner?.id ?? '', workshopId, at: clock.now() };
  const kept = await leaveTraces(db, place, 'MARKKEPT', '+61491571804');
  const merged = await leaveTraces(db, place, 'MARKMERGED', '+61491571491');
  const alone = await Promise.all([kept, merged].map(exported));
  await db.query('UPDATE customer SET merged_into = $1 WHERE id = $2', [kept, merged]);
  // A blast may have both: its pages go by the customer too.
  await db.query(
    `WITH made AS (
       INSERT INTO blast (id, workshop_id, name, template_id, audience, created_at, updated_at)
       SELECT gen_random_uuid(), workshop_id, 'B', id, '{}', now(), now() FROM template WHERE workshop_id = $1 LIMIT 1 RETURNING id)
     INSERT INTO blast_recipient (blast_id, customer_id, state)
     SELECT id, customer_id, 'skipped' FROM made, unnest($2::uuid[]) AS each (customer_id)`,
    [workshopId, [kept, merged]],
  );
  const [one, other] = await Promise.all([kept, merged].map(exported));
  for (const { name } of sections) {
    const counts = alone.map((each) => each[name]?.length ?? 0);
    const all = counts.reduce((sum, count) => sum + count);
    assert.equal(one?.[name]?.length, { partners: 1, blasts: 2 }[name] ?? all, name);
  }
  const rows = (of: Exported | undefined) => ({ ...of, exportedAt: [] });
  assert.deepEqual(rows(one), rows(other));
  const text = JSON.stringify(one);
  for (const word of [mine, theirs, customerId, otherId]) assert.ok(!text.includes(word), word);
  const maySee = one?.['partners']?.[0]?.['maySee'];
  assert.equal(Array.isArray(maySee) && maySee.length, 2);
});

test('an answer to a partner about the same phone at another workshop is not in it', async () => {
  const [partner] = await db.query<{ id: string }>('SELECT id FROM partner LIMIT 1');
  const keep = (of: string, notes: string) =>
    db.query(
      `INSERT INTO idempotency (partner_id, key, fingerprint, owner, leased_until, status, body, created_at)
       VALUES ($1, $2, '', gen_random_uuid(), now(), 201, $3, now())`,
      [partner?.id, newId(), { callLead: { id: newId(), workshopId: of, callerPhone: phone, notes } }],
    );
  await keep(elsewhere, 'ELSEWHERE');
  await keep(workshopId, 'HERE');
  const text = JSON.stringify((await exported(customerId))['keptAnswers']);
  assert.doesNotMatch(text, /ELSEWHERE/);
  assert.match(text, /HERE/);
});
