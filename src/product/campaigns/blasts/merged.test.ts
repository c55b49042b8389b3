/** A merged customer gets one text of a blast: merged before it begins, while it is being sent, and with both texts queued. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { mergeCustomers } from '#product/customers/merge/merge.ts';
import { setTags } from '#product/customers/tags.ts';
import { campaignWorld } from '../../../../test/fixtures/campaigns.ts';
import { advanceBlasts } from './advance.ts';
import { previewBlast } from './preview.ts';

const { app, db, context, workshopId, blast, read, trigger, work, customers } = await campaignWorld();
const actor = actors.operator;
let people: string[] = [];

beforeEach(async () => {
  await db.query('UPDATE customer SET opted_out_at = clock_timestamp() WHERE opted_out_at IS NULL');
  people = await customers(3);
  app.sms.clear();
});

async function merge(one = '', other = ''): Promise<void> {
  await mergeCustomers(context, { workshopId, both: [{ customerId: one }, { customerId: other }], actor });
}
const sentTo = () => app.sms.sent.map(({ to }) => to).sort();
const phonesOf = async (...ids: readonly (string | undefined)[]) =>
  (
    await db.query<{ phone: string }>(
      'SELECT phone FROM customer WHERE id = ANY ($1::uuid[]) ORDER BY phone',
      [ids],
    )
  ).map(({ phone }) => phone);

test('merged before: one recipient, with the data of both rows, at the number of the kept row, else at the other (specification: Merging customers 3)', async () => {
  const [first, second, third] = people;
  await setTags(context, { workshopId, customerId: second ?? '', add: ['fleet'], remove: [], actor });
  await db.query(
    `INSERT INTO car (id, workshop_id, customer_id, rego, year, created_at, updated_at) VALUES (gen_random_uuid(), $1, $2, 'OLD1', 1971, now(), now())`,
    [workshopId, third],
  );
  await merge(first, second);
  await merge(first, third);
  const audience = JSON.stringify({ tags: ['fleet'], carYearFrom: 1970, carYearTo: 1972 });
  const id = await blast({ audience });
  assert.equal((await previewBlast(app.context, id)).recipients, 1);
  await trigger(id);
  await work();
  assert.deepEqual(sentTo(), await phonesOf(first));
  await db.query('UPDATE customer SET phone = NULL WHERE id = $1', [first]);
  app.sms.clear();
  const again = await blast({ audience });
  await trigger(again);
  await work();
  assert.deepEqual(sentTo(), await phonesOf(second));
});

test('merged after the audience was fixed and before their turns: the second is skipped (specification: Merging customers 3)', async () => {
  const [first, second, third] = people;
  const id = await blast();
  await trigger(id);
  await db.query(
    `UPDATE blast SET status = 'sending', template_version = 1, started_at = now() WHERE id = $1`,
    [id],
  );
  await db.query('INSERT INTO blast_recipient (blast_id, customer_id) SELECT $1, unnest($2::uuid[])', [
    id,
    people,
  ]);
  await merge(second, third);
  await work();
  assert.deepEqual(sentTo(), await phonesOf(first, second));
  const { status, counts } = await read(id);
  assert.deepEqual([status, counts.sent, counts.skipped], ['completed', 2, 1]);
});

test('merged with both texts queued, or with one handed over: the other is not sent', async () => {
  const [first, second, third] = people;
  const id = await blast();
  await trigger(id);
  await advanceBlasts(context);
  assert.equal((await db.query('SELECT FROM queued_message')).length, 3);
  await merge(first, third);
  await work();
  assert.equal(sentTo().length, 2);
  assert.ok(sentTo().includes((await phonesOf(second))[0] ?? ''));
  const { counts } = await read(id);
  assert.deepEqual([counts.sent, counts.skipped, counts.waiting], [2, 1, 0]);
});
