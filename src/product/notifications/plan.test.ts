import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { relayBatch } from '#platform/events/batch.ts';
import type { EventKind } from '#platform/events/record.ts';
import { reactions } from '#reactions.ts';
import {
  type EventChanges,
  happen,
  insertWorld,
  type World,
  workContext,
  workshop,
} from '../../../test/fixtures/booking-events.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';

const { db } = await createTestDatabase();
const ctx = workContext(db);
let world: World;

beforeEach(async () => {
  world = await insertWorld(db);
});

const queued = async () => (await db.query('SELECT FROM queued_message')).length;

/** Relays one event and returns its notices, as `audience channel recipient`. */
async function noticesOf(kind: EventKind, changes: EventChanges = {}): Promise<string[]> {
  const before = await queued();
  const eventId = await happen(db, world, kind, changes);
  await relayBatch(ctx, reactions);
  const rows = await db.query<{ notice: string }>(
    `SELECT audience || ' ' || channel || ' ' || recipient AS notice FROM message
     WHERE cause_id = $1 AND state = 'sending' AND booking_id = $2 AND kind = 'bookingNotice' ORDER BY audience, channel DESC, recipient`,
    [eventId, world.booking.id],
  );
  assert.equal((await queued()) - before, rows.length, 'each notice is queued');
  return rows.map((row) => row.notice);
}

const customer = ['customer sms +61491570006', 'customer email sam@customer.example'];
const both = [...customer, `workshop sms ${workshop.phone}`, `workshop email ${workshop.email}`];

describe('notices of an event', () => {
  it('created: customer and workshop, SMS and e-mail each (specification: Notices 1)', async () => {
    assert.deepEqual(await noticesOf('booking.created'), both);
  });

  it('created with skipNotification: none (specification: Notices 2)', async () => {
    const skipped = { notifyCustomer: false, notifyWorkshop: false };
    assert.deepEqual(await noticesOf('booking.created', skipped), []);
  });

  it('date changed by the partner: the customer, not the workshop (specification: Notices 3 and 4)', async () => {
    const moved = { dateChanged: true, notifyWorkshop: false };
    assert.deepEqual(await noticesOf('booking.updated', moved), customer);
  });

  it('date changed by the customer: both', async () => {
    assert.deepEqual(await noticesOf('booking.updated', { dateChanged: true }), both);
  });

  it('date changed with skipNotification: none (specification: Notices 4)', async () => {
    const skipped = { dateChanged: true, notifyCustomer: false, notifyWorkshop: false };
    assert.deepEqual(await noticesOf('booking.updated', skipped), []);
  });

  it('updated without a new date: none', async () => {
    assert.deepEqual(await noticesOf('booking.updated', { dateChanged: false }), []);
  });

  it('confirmed: the customer; cancelled: both; completed: none', async () => {
    assert.deepEqual(await noticesOf('booking.confirmed'), customer);
    assert.deepEqual(await noticesOf('booking.cancelled'), both);
    assert.deepEqual(await noticesOf('booking.completed'), []);
  });

  it("goes to the workshop's lists of recipients if it has any, to each recipient once (specification: Notices 14)", async () => {
    await db.query('UPDATE workshop SET notify_phones = $2, notify_emails = $3 WHERE id = $1', [
      world.workshopId,
      ['+61255500001', '+61255500002', '+61255500001'],
      [],
    ]);
    assert.deepEqual(await noticesOf('booking.created'), [
      ...customer,
      'workshop sms +61255500001',
      'workshop sms +61255500002',
    ]);
  });

  it('goes to the contact details of the event, not to the customer’s present ones', async () => {
    const earlier = { ...world.booking.customer, phone: '+61491570008', email: 'old@customer.example' };
    const booking = { ...world.booking, customer: earlier };
    assert.deepEqual(await noticesOf('booking.confirmed', { booking }), [
      'customer sms +61491570008',
      'customer email old@customer.example',
    ]);
  });

  it('queues nothing twice when an event is relayed again', async () => {
    const eventId = await happen(db, world);
    await relayBatch(ctx, reactions);
    const before = await queued();
    await db.query('UPDATE event SET relayed_at = NULL WHERE id = $1', [eventId]);
    assert.equal(await relayBatch(ctx, reactions), 1);
    assert.equal(await queued(), before);
  });

  it('plans a batch of several events, each with its own notices', async () => {
    const other = await insertWorld(db);
    const ids = [
      await happen(db, world),
      await happen(db, other),
      await happen(db, world, 'booking.confirmed'),
    ];
    await relayBatch(ctx, reactions);
    const rows = await db.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM message WHERE cause_id = ANY($1) GROUP BY cause_id ORDER BY cause_id',
      [ids],
    );
    assert.deepEqual(
      rows.map((row) => row.count),
      [4, 4, 2],
    );
  });
});
