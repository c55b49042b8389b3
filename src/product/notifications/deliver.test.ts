import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { retryDeadLetter } from '#dead-letters.ts';
import type { EventKind } from '#platform/events/record.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import {
  type EventChanges,
  happen,
  insertWorld,
  type World,
  workContext,
  workshop,
} from '../../../test/fixtures/booking-events.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { drain } from '../../../test/harness/drain.ts';

const { db } = await createTestDatabase();
const ctx = workContext(db);
let world: World;
const phone = '+61491570006';
const address = 'sam@customer.example';

beforeEach(async () => {
  ctx.sms.clear();
  ctx.email.clear();
  await db.query('DELETE FROM dead_letter');
  world = await insertWorld(db);
});

interface Row {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly gateway: string | null;
  readonly gatewayId: string | null;
  readonly attemptId: string | null;
  readonly attempts: number;
}

async function row(eventId: string, channel: 'sms' | 'email', audience = 'customer'): Promise<Row> {
  const [found] = await db.query<Row>(
    `SELECT m.id, m.state, m.reason, a.gateway, a.gateway_id, m.attempt_id, m.attempts
     FROM message m LEFT JOIN message_attempt a ON a.id = m.attempt_id WHERE m.cause_id = $1 AND m.channel = $2 AND m.audience = $3`,
    [eventId, channel, audience],
  );
  assert.ok(found);
  return found;
}

const queued = async () => (await db.query('SELECT FROM queued_message')).length;

/** An event that notifies only the customer. */
function confirmed(changes: EventChanges = {}, kind: EventKind = 'booking.confirmed'): Promise<string> {
  return happen(db, world, kind, { version: 2, ...changes });
}

const temporary = {
  state: 'refused',
  permanent: false,
  reason: 'temporarilyRefused',
  detail: 'Later.',
} as const;
const forGood = { state: 'refused', permanent: true, reason: 'refused', detail: 'Never.' } as const;

describe('delivering a notice', () => {
  it('always: sends SMS and e-mail to customer and workshop and records each', async () => {
    await db.query("UPDATE workshop SET sms_sender = 'HARBOUR' WHERE id = $1", [world.workshopId]);
    const eventId = await happen(db, world);
    await drain(ctx);
    for (const audience of ['customer', 'workshop']) {
      const sms = await row(eventId, 'sms', audience);
      assert.deepEqual([sms.state, sms.gateway, sms.attempts], ['accepted', 'recorded', 1]);
      assert.equal(sms.gatewayId, `sms-${sms.attemptId}`);
      assert.equal((await row(eventId, 'email', audience)).state, 'accepted');
    }
    const [sms] = ctx.sms.to(phone);
    assert.equal(sms?.from, 'HARBOUR');
    assert.equal(sms?.messageId, (await row(eventId, 'sms')).id);
    assert.equal(ctx.sms.to(workshop.phone).length, 1);
    const [email] = ctx.email.to(address);
    assert.equal(email?.reference, (await row(eventId, 'email')).id);
    assert.equal(email?.calendar?.method, 'REQUEST');
    assert.equal(ctx.email.to(workshop.email)[0]?.calendar, null);
  });

  it('shows in each notice the values of its own event when two changes follow each other quickly', async () => {
    const first = { ...world.booking, date: '2026-03-02T22:30:00.000Z' };
    const second = { ...world.booking, date: '2026-03-09T04:00:00.000Z' };
    await confirmed({ booking: first, dateChanged: true, version: 2 }, 'booking.updated');
    await confirmed({ booking: second, dateChanged: true, version: 3 }, 'booking.updated');
    await drain(ctx);
    const texts = ctx.sms.to(phone).map((sms) => sms.body);
    assert.equal(texts.filter((text) => text.includes('Tue 3 Mar 2026, 9:30 am')).length, 1);
    assert.equal(texts.filter((text) => text.includes('Mon 9 Mar 2026, 3:00 pm')).length, 1);
    const calendars = ctx.email.to(address).map((email) => email.calendar?.content ?? '');
    assert.ok(
      calendars.some((text) => text.includes('SEQUENCE:2') && text.includes('DTSTART:20260302T223000Z')),
    );
    assert.ok(
      calendars.some((text) => text.includes('SEQUENCE:3') && text.includes('DTSTART:20260309T040000Z')),
    );
  });

  it('records a permanent refusal as failed, with a dead letter that can be retried', async () => {
    ctx.sms.next(forGood);
    const eventId = await confirmed();
    await drain(ctx);
    const failed = await row(eventId, 'sms');
    assert.deepEqual([failed.state, failed.reason, failed.attempts], ['failed', 'refused', 1]);
    const [letter] = await listDeadLetters(db);
    assert.deepEqual(letter?.payload, { messageId: failed.id });
    assert.deepEqual([letter?.job, letter?.reason, letter?.detail], ['send', 'refused', 'Never.']);
    assert.equal(await queued(), 0);

    assert.equal(await retryDeadLetter(ctx, actors.operator, letter?.id ?? ''), true);
    await drain(ctx);
    assert.equal((await row(eventId, 'sms')).state, 'accepted');
    assert.equal((await listDeadLetters(db)).length, 0);
  });

  it('tries again after a temporary refusal, as the same message under a new reference', async () => {
    ctx.sms.next(temporary);
    const eventId = await confirmed();
    await drain(ctx);
    const failed = await row(eventId, 'sms');
    assert.deepEqual([failed.state, failed.reason], ['failed', 'temporarilyRefused']);
    assert.equal(await queued(), 1);
    await drain(ctx, { retries: true });
    assert.deepEqual(
      [(await row(eventId, 'sms')).state, (await row(eventId, 'sms')).attempts],
      ['accepted', 2],
    );
    const [first, second] = ctx.sms.to(phone);
    assert.equal(first?.messageId, second?.messageId);
    assert.notEqual(first?.reference, second?.reference);
  });

  it('always: gives up after eight attempts, with a dead letter', async () => {
    ctx.email.always(address, temporary);
    const eventId = await confirmed();
    await drain(ctx, { retries: true });
    assert.equal(ctx.email.to(address).length, 8);
    assert.equal(new Set(ctx.email.to(address).map((email) => email.reference)).size, 1);
    const failed = await row(eventId, 'email');
    assert.deepEqual([failed.state, failed.attempts], ['failed', 8]);
    const [letter] = await listDeadLetters(db);
    assert.deepEqual([letter?.reason, letter?.attempts], ['temporarilyRefused', 8]);
    assert.equal(await queued(), 0);
  });

  it('always: gives up at once on a permanently refused address (specification: Notices 28)', async () => {
    ctx.email.always(address, forGood);
    await confirmed();
    await drain(ctx, { retries: true });
    assert.equal(ctx.email.to(address).length, 1);
    assert.equal((await listDeadLetters(db)).length, 1);
  });

  it('always: sends no SMS to a customer who has opted out, and writes no dead letter for it', async () => {
    await db.query("UPDATE customer SET opted_out_at = '2030-01-01' WHERE id = $1", [
      world.booking.customerId,
    ]);
    const eventId = await happen(db, world);
    await drain(ctx);
    const skipped = await row(eventId, 'sms');
    assert.deepEqual([skipped.state, skipped.reason], ['failed', 'optedOut']);
    assert.equal(ctx.sms.to(phone).length, 0);
    assert.equal(ctx.sms.to(workshop.phone).length, 1);
    assert.equal((await row(eventId, 'email')).state, 'accepted');
    assert.deepEqual([(await listDeadLetters(db)).length, await queued()], [0, 0]);
  });

  it('sends nothing to a customer whose data has been erased', async () => {
    await db.query("UPDATE customer SET erased_at = '2030-01-01' WHERE id = $1", [world.booking.customerId]);
    const eventId = await confirmed();
    await drain(ctx);
    assert.deepEqual([ctx.sms.sent.length, ctx.email.sent.length], [0, 0]);
    assert.equal((await row(eventId, 'email')).reason, 'erased');
  });

  it('lets an e-mail whose event has been purged expire; an SMS has its stored text', async () => {
    ctx.sms.next(temporary);
    ctx.email.next(temporary);
    const eventId = await confirmed();
    await drain(ctx);
    await db.query('DELETE FROM event WHERE id = $1', [eventId]);
    await drain(ctx, { retries: true });
    const [email, sms] = [await row(eventId, 'email'), await row(eventId, 'sms')];
    assert.deepEqual([email.state, email.reason, sms.state], ['expired', 'expired', 'accepted']);
    assert.deepEqual(await listDeadLetters(db), []);
  });
});
