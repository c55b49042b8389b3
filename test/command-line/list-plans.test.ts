/** Each list of the command line uses an index, on full and analysed tables. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageListText, messageStates, troubledStates } from '#operation/status/messages/store.ts';
import { customerListQuery } from '#product/customers/store.ts';
import { linkListText } from '#product/workshops/links/store.ts';
import { insertWorld } from '../fixtures/booking-events.ts';
import { assertLittleRead } from '../fixtures/explained.ts';
import { createTestDatabase } from '../harness/database.ts';

const { db } = await createTestDatabase({ poolSize: 1 });
const [one, two] = [await insertWorld(db), await insertWorld(db)];
const size = 5_000;
const at = `timestamptz '2030-01-01' + n * interval '7 minutes'`;
const id = `overlay(gen_random_uuid()::text PLACING lpad(to_hex(n), 8, '0') FROM 1 FOR 8)::uuid`;

for (const { workshopId } of [one, two]) {
  // Of each workshop's messages a tenth stand in conversations, and a twentieth did not arrive.
  await db.query(
    `INSERT INTO message (id, workshop_id, direction, recipient, body, state, channel, kind, audience, created_at, updated_at)
     SELECT ${id}, $1, 'outbound', 'a@b.example', 'x', CASE WHEN n % 20 = 0 THEN 'failed' ELSE 'accepted' END, 'email',
            CASE WHEN n % 10 = 0 THEN 'reply' ELSE 'bookingNotice' END, 'customer', ${at}, ${at} FROM generate_series(1, $2::int) AS n`,
    [workshopId, 6 * size],
  );
}
await db.query(
  `INSERT INTO workshop (id, name, slug, country, timezone, phone, email, created_at, updated_at)
   SELECT ${id}, 'W', 'w-' || n, 'AU', 'Australia/Sydney', '+61255501234', 'w@w.example', ${at}, ${at} FROM generate_series(1, 3000) AS n`,
);
await db.query(
  `INSERT INTO link (partner_id, workshop_id, created_at) SELECT $1, id, created_at FROM workshop ON CONFLICT DO NOTHING`,
  [one.partnerId],
);
for (const { workshopId } of [one, two]) {
  await db.query(
    `WITH them AS (
       INSERT INTO customer (id, workshop_id, name, phone, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'Customer ' || n, '+614' || lpad(n::text, 8, '0'), now(), now() FROM generate_series(1, $2::int) AS n RETURNING *)
     INSERT INTO car (id, workshop_id, customer_id, rego, created_at, updated_at)
     SELECT gen_random_uuid(), workshop_id, id, 'R' || right(phone, 8), now(), now() FROM them`,
    [workshopId, size],
  );
}
await db.query('ANALYZE');

const { partnerId, workshopId, booking } = one;
const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const first = '00000000-0000-0000-0000-000000000000';

const rowsOf = async (text: string, values: readonly unknown[]) => (await db.query(text, values)).length;

test('messages: of a workshop by the index of each of its halves, of all by their ids, of a customer by theirs', async () => {
  for (const [index, of, customer, states] of [
    ['message_workshop', workshopId, null, messageStates],
    ['message_workshop_other', workshopId, null, messageStates],
    ['message_pkey', null, null, messageStates],
    ['message_customer', null, booking.customerId, messageStates],
    ['message_customer', workshopId, booking.customerId, troubledStates],
  ] as const) {
    const text = messageListText({ workshopId: of, customerId: customer });
    const values = [new Date(0), last, states, 51, null, of, customer];
    if (customer === null) assert.equal(await rowsOf(text, values), 51);
    await assertLittleRead(db, { text, values }, { table: 'message', index, rowsAtMost: 110 });
  }
});

test('links: of all and of a partner by their key, of a workshop by its index', async () => {
  for (const [partner, workshop, index] of [
    [null, null, 'link_pkey'],
    [partnerId, null, 'link_pkey'],
    [null, two.workshopId, 'link_workshop'],
  ] as const) {
    const text = linkListText({ partnerId: partner, workshopId: workshop });
    const values = [first, first, 51, partner, workshop];
    assert.ok((await rowsOf(text, values)) >= 2);
    await assertLittleRead(db, { text, values }, { table: 'link', index, rowsAtMost: 110 });
  }
});

test('customers of a workshop by a part of a name, phone or rego: its own are read, and nobody else’s', async () => {
  for (const part of [{ namePart: '4999' }, { phonePart: '00004999' }, { regoPart: 'R00004999' }]) {
    const query = customerListQuery({ workshopId, phone: null, after: null, limit: 51, ...part });
    assert.equal(await rowsOf(query.text, query.values), 1);
    const read = { table: 'customer', index: 'customer_workshop_id_id_key', rowsAtMost: size + 10 };
    await assertLittleRead(db, query, read);
  }
  const whole = customerListQuery({ workshopId, phone: '+61400004999', after: null, limit: 51 });
  await assertLittleRead(db, whole, {
    table: 'customer',
    index: 'customer_phone_workshop_id_key',
    rowsAtMost: 1,
  });
});
