/** Long because its tests share one world. */

/** Scheduled texts: sent once, in the name of their author, and never lost silently. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors, type PersonActor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { mergeCustomers } from '#product/customers/merge/merge.ts';
import { inboundWorld } from '../../../../../test/fixtures/inbound.ts';
import { messagingWorld } from '../../../../../test/fixtures/messaging.ts';
import { signedInPerson } from '../../../../../test/fixtures/office.ts';
import { until } from '../../../../../test/harness/wait.ts';
import { linkedWorkshop } from '../../../../../test/harness/world.ts';
import { sendOwnMessage } from '../../staff/send.ts';
import { AnsweredMeanwhile } from '../answered/answered.ts';
import { findLastSaid } from '../answered/store.ts';
import { cancelText, type NewScheduledText, scheduledAtMost, scheduleText } from './schedule.ts';
import { dueTexts, sendDueTexts } from './send-due.ts';
import { insertScheduled, listScheduled } from './store.ts';

const { app, partner, workshopId, send, customer } = await messagingWorld();
const { answer } = inboundWorld(app);
const { context, sms } = app;
const { db, clock } = context;

/** A person who may send texts. */
async function writer(switches: { readonly mayText?: boolean } = {}): Promise<PersonActor> {
  const { personId } = await signedInPerson(app, [workshopId], 'adviser', switches);
  return actors.person(personId, 'r-1');
}
const kim = await writer();

/** A talk with an SMS to its customer; the recorded SMS are cleared. */
async function talk() {
  const { phone, id: customerId } = await customer();
  const { sms: sent } = await send({ phone });
  sms.clear();
  return { workshopId, phone, customerId, conversationId: String(sent.conversationId) };
}
type Talk = Awaited<ReturnType<typeof talk>>;
const seenOf = (of: Talk) => findLastSaid(db, of);
const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000);

const schedule = async (of: Talk, more: Partial<NewScheduledText> = {}) =>
  scheduleText(context, {
    ...{
      workshopId,
      to: { conversationId: of.conversationId },
      text: 'Ready at five',
      dueAt: inMinutes(30),
      actor: kim,
    },
    ...{ seen: await seenOf(of), ...more },
  });
const waiting = async ({ customerId }: Talk) => (await listScheduled(db, workshopId, customerId)).length;
/** Moves the business clock by this many minutes, and runs the schedule. */
async function later(minutes = 31) {
  app.advance(minutes * 60);
  await sendDueTexts(context);
  await app.drain();
}
const bodies = ({ phone }: Talk) => sms.to(phone).map(({ body }) => body);
const failedIn = ({ conversationId }: Talk) =>
  db.query<{ state: string; reason: string; detail: string | null }>(
    `SELECT state, reason, detail FROM message WHERE conversation_id = $1 AND kind = 'reply' AND state = 'failed'`,
    [conversationId],
  );
const trailOf = async ({ customerId }: Talk) =>
  (
    await db.query<{ said: string }>(
      `SELECT actor || ' ' || action AS said FROM audit_entry WHERE subject_id = $1 ORDER BY id`,
      [customerId],
    )
  ).map(({ said }) => said);

test('it is sent once it is due by the business clock, once, in the name of its author (specification: Answers of the workshop 2)', async () => {
  const of = await talk();
  await schedule(of);
  await later(29);
  assert.deepEqual([bodies(of), await waiting(of)], [[], 1]);
  app.advance(120);
  await Promise.all([sendDueTexts(context), sendDueTexts(context)]);
  await app.drain();
  await later();
  assert.deepEqual([bodies(of), await waiting(of)], [['Ready at five'], 0]);
  const by = `person ${kim.personId}`;
  assert.deepEqual(await trailOf(of), [`${by} customer.textScheduled`, `${by} customer.texted`]);
});

test('killed between taking the text and the commit: it is sent once', async () => {
  const of = await talk();
  const { id } = await schedule(of);
  app.advance(31 * 60);
  const client = await db.pool.connect();
  try {
    await client.query('BEGIN; LOCK TABLE queued_message IN SHARE MODE');
    const lost = dueTexts.run(context, [id]).then(
      () => 'sent',
      () => 'lost',
    );
    const waits = () =>
      db.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
    await until('the statement waits', async () => (await waits()).length === 1);
    const [row] = await waits();
    await db.query('SELECT pg_terminate_backend($1, 10000)', [row?.pid]);
    assert.equal(await lost, 'lost');
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  assert.equal(await waiting(of), 1);
  await later(0);
  assert.deepEqual([bodies(of), await waiting(of)], [['Ready at five'], 0]);
});

test('the customer wrote in between: the text is held back, and is in the talk as failed, with the reason (specification: Answers of the workshop 2)', async () => {
  const of = await talk();
  await schedule(of);
  await answer(of.phone, 'I can not come today');
  await later();
  assert.deepEqual([bodies(of), await waiting(of)], [[], 0]);
  assert.deepEqual(await failedIn(of), [
    { state: 'failed', reason: 'heldBack', detail: 'Not sent: the customer wrote since: read that first.' },
  ]);
  assert.equal((await trailOf(of)).at(-1), 'schedule customer.textHeldBack');
});

test('an answer of the workshop in between does not hold it back', async () => {
  const of = await talk();
  await schedule(of);
  await sendOwnMessage(context, {
    ...{ workshopId, to: { customerId: of.customerId }, bookingId: null, actor: kim },
    content: { text: 'Almost done' },
  });
  await later();
  assert.deepEqual(bodies(of), ['Almost done', 'Ready at five']);
});

test('the text of an author who may not send texts any more, or was removed, is not sent (specification: Answers of the workshop 2)', async () => {
  const [muted, removed] = [await writer(), await writer()];
  const [one, other] = [await talk(), await talk()];
  await schedule(one, { actor: muted });
  await schedule(other, { actor: removed });
  await db.query('UPDATE membership SET may_text = false WHERE person_id = $1', [muted.personId]);
  await db.query('DELETE FROM membership WHERE person_id = $1', [removed.personId]);
  await later();
  for (const its of [one, other]) {
    assert.deepEqual(bodies(its), []);
    assert.match((await failedIn(its))[0]?.detail ?? '', /may not text customers of this workshop any more/);
  }
});

test('an opt-out stops it, and the reason says so (specification: Answers of the workshop 2)', async () => {
  const of = await talk();
  await schedule(of);
  await answer(of.phone, 'STOP');
  await app.drain();
  sms.clear();
  await later();
  assert.deepEqual(bodies(of), []);
  assert.equal((await failedIn(of))[0]?.reason, 'optedOut');
  await assert.rejects(schedule(of), /has opted out of SMS/);
});

test('the limits on staff texts apply when it is sent (specification: Answers of the workshop 2)', async () => {
  const of = await talk();
  const actor = await writer();
  await schedule(of, { actor });
  const { createHash } = await import('node:crypto');
  const source = createHash('sha256').update(`staff-sms-person ${actor.personId}`).digest();
  await db.query(
    `INSERT INTO attempt (source, attempts, expires_at)
     VALUES ($1, array_fill(clock_timestamp(), ARRAY[60]), clock_timestamp() + interval '1 hour')`,
    [source],
  );
  await later();
  assert.deepEqual(bodies(of), []);
  assert.match((await failedIn(of))[0]?.detail ?? '', /a person sends at most 60 texts an hour/);
});

test('the limits on how many may wait, and how far ahead (specification: Answers of the workshop 2)', async () => {
  const of = await talk();
  const actor = await writer();
  const row = {
    workshopId,
    customerId: of.customerId,
    bookingId: null,
    body: 'x',
    seen: null,
    dueAt: inMinutes(50_000),
  };
  const fill = async (count: number, personId: string | null) => {
    for (let n = 0; n < count; n++)
      await insertScheduled(db, { ...row, id: newId(), personId: personId ?? newId() }, clock.now());
  };
  await fill(scheduledAtMost.ofPerson - 1, actor.personId);
  const race = await Promise.allSettled([schedule(of, { actor }), schedule(of, { actor })]);
  assert.deepEqual(race.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await assert.rejects(schedule(of, { actor }), /at most 100 texts of a person wait/);
  await schedule(of);
  await fill(scheduledAtMost.ofWorkshop - 100 - 1, null);
  await assert.rejects(schedule(of), /at most 500 texts of a workshop wait/);
  await db.query('DELETE FROM scheduled_text');
  const day = 24 * 60;
  await assert.rejects(
    schedule(of, { dueAt: inMinutes(90 * day + 1) }),
    /time: is too far ahead: at most 90/,
  );
  await assert.rejects(schedule(of, { dueAt: inMinutes(-1) }), /time: is past/);
  await schedule(of, { dueAt: inMinutes(90 * day - 1) });
  await db.query('DELETE FROM scheduled_text');
});

test('cancelled, changed, or sent now: each once, and not after it was sent', async () => {
  const of = await talk();
  const named = { workshopId, conversationId: of.conversationId, actor: kim };
  const first = await schedule(of);
  await cancelText(context, { ...named, id: first.id });
  await assert.rejects(cancelText(context, { ...named, id: first.id }), /does not wait any more/);
  const second = await schedule(of);
  const third = await schedule(of, { text: 'Ready at six', replaces: second.id });
  assert.equal(await waiting(of), 1);
  const now = {
    ...{ workshopId, to: { conversationId: of.conversationId }, bookingId: null, actor: kim },
    ...{ content: { text: 'Ready now' }, seen: await seenOf(of), replaces: third.id },
  };
  const race = await Promise.allSettled([sendOwnMessage(context, now), sendOwnMessage(context, now)]);
  assert.deepEqual(race.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await later();
  assert.deepEqual(bodies(of), ['Ready now']);
  await assert.rejects(schedule(of, { seen: now.seen }), AnsweredMeanwhile);
});

test('a text of another talk or workshop can’t be cancelled, changed or sent', async () => {
  const [of, other] = [await talk(), await talk()];
  const { id } = await schedule(other);
  const elsewhere = await linkedWorkshop(app, [partner]);
  const refused = /does not wait any more|has no conversation/;
  for (const where of [
    { workshopId, conversationId: of.conversationId },
    { workshopId: elsewhere, conversationId: other.conversationId },
  ]) {
    await assert.rejects(cancelText(context, { ...where, id, actor: kim }), refused);
    await assert.rejects(schedule(of, { ...where, replaces: id }), refused);
    const now = {
      workshopId: where.workshopId,
      to: { conversationId: where.conversationId },
      bookingId: null,
    };
    await assert.rejects(sendOwnMessage(context, { ...now, content: { waiting: id }, actor: kim }), refused);
  }
  await assert.rejects(
    cancelText(context, { workshopId, conversationId: of.conversationId, id: 'x', actor: kim }),
    refused,
  );
  assert.deepEqual([await waiting(other), bodies(other)], [1, []]);
  await db.query('DELETE FROM scheduled_text');
});

test('it is erased with the customer, and stays scheduled when the customer is merged', async () => {
  const [older, newer] = [await talk(), await talk()];
  await schedule(newer);
  await mergeCustomers(context, {
    ...{ workshopId, actor: actors.operator },
    both: [{ customerId: older.customerId }, { customerId: newer.customerId }],
  });
  assert.equal(await waiting(older), 1);
  await later();
  assert.deepEqual([bodies(newer), bodies(older)], [['Ready at five'], []]);
  await schedule(older);
  await eraseCustomer({ db, clock }, newer.customerId, actors.operator);
  assert.equal(await waiting(older), 0);
});
