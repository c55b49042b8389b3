/**
 * The lists of a workshop's quotes read one page of each partner by an index, however many quotes there are; each quote is on one
 * page, in order.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queryable } from '#platform/db/database.ts';
import { insertWorld } from '../../../../test/fixtures/booking-events.ts';
import { assertLittleRead } from '../../../../test/fixtures/explained.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { listWorkshopQuotes } from './store.ts';

const { db } = await createTestDatabase({ poolSize: 1 });
const { workshopId, partnerId } = await insertWorld(db);
const size = 5_000;
const limit = 50;

/** Another workshop of the same partner has far more quotes: a page of this workshop reads none of them. */
const other = await insertWorld(db);
await db.query('INSERT INTO link (partner_id, workshop_id, created_at) VALUES ($1, $2, now())', [
  partnerId,
  other.workshopId,
]);
const fill = (at: string, quotes: number) =>
  db.query(
    `WITH one AS (
     INSERT INTO customer (id, workshop_id, name, phone, created_at, updated_at)
     VALUES (gen_random_uuid(), $1, 'One', '+61491570099', now(), now()) RETURNING *),
   its AS (
     INSERT INTO car (id, workshop_id, customer_id, rego, created_at, updated_at)
     SELECT gen_random_uuid(), workshop_id, id, 'ONE1', now(), now() FROM one RETURNING *)
   INSERT INTO quote (id, code, partner_id, workshop_id, customer_id, car_id, status, contact_name, contact_email, contact_phone,
                      services, service_minutes, version, created_at, updated_at)
   SELECT gen_random_uuid(), left(n::text || workshop_id::text || id::text, 60), $3, workshop_id, customer_id, id,
          CASE WHEN n % 2 = 0 THEN 'requested' ELSE 'declined' END, 'One', '', '+61491570006', '[]', '{}', 1, now(), now()
     FROM its CROSS JOIN generate_series(1, $2::int) AS n`,
    [at, quotes, partnerId],
  );
await fill(workshopId, size);
await fill(other.workshopId, 4 * size);
await db.query('ANALYZE');

for (const [status, order] of [
  ['requested', 1],
  ['declined', -1],
] as const)
  test(`${status}: by an index, page after page`, async () => {
    const statements: { text: string; values: unknown[] }[] = [];
    const spy: Queryable = {
      query: (text: string, values: unknown[] = []) => {
        statements.push({ text, values });
        return db.query(text, values);
      },
    } as Queryable;
    const ids: string[] = [];
    for (let after: string | null = null; ; after = ids.at(-1) ?? null) {
      const page = await listWorkshopQuotes(spy, { workshopId, status, after, limit });
      ids.push(...page.map(({ id }) => id));
      if (page.length < limit) break;
    }
    assert.equal(new Set(ids).size, size / 2);
    const inOrder = order === 1 ? ids.toSorted() : ids.toSorted().toReversed();
    assert.deepEqual(ids, inOrder);
    for (const statement of [statements[0], statements.at(-2)])
      await assertLittleRead(db, statement ?? assert.fail(), {
        ...{ table: 'quote', index: 'quote_workshop_status', rowsAtMost: limit },
      });
  });
