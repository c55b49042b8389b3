/**
 * An upgrade with 10,000 messages in flight: each becomes a message and is sent once; none is lost, also of old processes that
 * still run.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '#db/migrate.ts';
import { retryDeadLetter } from '#dead-letters.ts';
import { recordEvent } from '#events/record.ts';
import { recordReport } from '#gateway-callbacks/record-report.ts';
import { newId } from '#values/id.ts';
import { listDeadLetters } from '#work/dead-letters/store.ts';
import { workContext } from '../../test/fixtures/booking-events.ts';
import { fillOldRelease, jobSql, makeOldRelease, plan } from '../../test/fixtures/old-release.ts';
import { createTestDatabase } from '../../test/harness/database.ts';
import { drain } from '../../test/harness/drain.ts';
import { adoptOldWork } from './adopt.ts';

const { db } = await createTestDatabase();
const ctx = workContext(db);
const bookings = 2_500;
const at = new Date('2030-01-15T00:00:00.000Z');

const count = async (from: string) => {
  const [row] = await db.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${from}`);
  return row?.count ?? 0;
};
const share = (what: string) => (bookings * 4 * plan.filter((one) => one.what === what).length) / plan.length;
/** All rows at this moment. */
async function adopt(): Promise<void> {
  while ((await adoptOldWork(ctx)) > 0);
}

test('the migration takes what is settled; the program takes the rest, except what a living worker holds', async () => {
  await makeOldRelease(db);
  await fillOldRelease(db, bookings);
  assert.equal(await count('notification'), 10_000);
  await migrate(db);
  assert.equal(await count(`message WHERE kind = 'bookingNotice' AND state = 'accepted'`), share('settled'));
  assert.equal(await count('notification'), 10_000 - share('settled'));
  await Promise.all([adopt(), adopt(), adopt()]);
  const held = share('in the hands of a living worker');
  assert.deepEqual([await count('notification'), await count('answer_notice')], [held, 0]);
  assert.equal(await count('graphile_worker._private_jobs'), held);
  const lost = await count(
    `old_notice o LEFT JOIN message m ON m.id = o.id LEFT JOIN notification n ON n.id = o.id WHERE (m.id IS NULL) = (n.id IS NULL)`,
  );
  assert.equal(lost, 0, 'each notice is in one of the tables, and in one alone');
});

test('each adopted message keeps its state and attempt, and the time that it has waited', async () => {
  const states = await db.query(
    `SELECT o.what, m.state, q.message_id IS NOT NULL AS waits, q.attempt_id IS NOT NULL AS "isUnknown", a.id IS NOT NULL AS attempted,
            m.body <> '' AS composed, count(*)::int AS count
       FROM old_notice o JOIN message m ON m.id = o.id LEFT JOIN queued_message q ON q.message_id = m.id
       LEFT JOIN message_attempt a ON a.id = m.attempt_id AND a.id = o.attempt_id GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1`,
  );
  const row = (
    what: string,
    state: string,
    flags: Partial<Record<'waits' | 'isUnknown', boolean>>,
    composed = true,
  ) => ({
    what,
    state,
    waits: false,
    isUnknown: false,
    attempted: what !== 'queued',
    composed,
    count: share(what),
    ...flags,
  });
  assert.deepEqual(states, [
    row('dead letter', 'failed', {}),
    row('left by a dead worker', 'unknown', { waits: true, isUnknown: true }),
    row('queued', 'sending', { waits: true }),
    row('retried', 'failed', { waits: true }),
    row('settled', 'accepted', {}, false),
    row('spent', 'failed', {}),
    row('unknown outcome', 'unknown', { waits: true, isUnknown: true }),
    row('unknown outcome dead letter', 'unknown', {}),
  ]);
  const [age] = await db.query<{ seconds: number; expires: number }>(
    `SELECT min(extract(epoch FROM clock_timestamp() - q.created_at))::float8 AS seconds,
            max(extract(epoch FROM expires_at - q.created_at))::float8 AS expires
       FROM queued_message q JOIN old_notice o ON o.id = q.message_id WHERE what = 'queued'`,
  );
  assert.ok((age?.seconds ?? 0) >= 600, `${age?.seconds}`);
  assert.equal(age?.expires, 24 * 3_600);
  const letters = await db.query(`SELECT job, count(*)::int AS count FROM dead_letter GROUP BY job`);
  const dead = share('dead letter') + share('unknown outcome dead letter') + share('spent');
  assert.deepEqual(letters, [{ job: 'send', count: dead }]);
  assert.equal(await count('event WHERE relayed_at IS NULL'), 5, 'what was to be relayed again waits');
});

test('all are sent once: unknown outcomes are reconciled, and not repeated when the gateway has the message', async () => {
  const had = new Set(
    (
      await db.query<{ id: string }>(
        `SELECT attempt_id AS id FROM old_notice WHERE channel = 'sms' AND what = 'unknown outcome'
         UNION SELECT attempt_id FROM old_reply WHERE state = 'unknown'`,
      )
    ).map(({ id }) => id),
  );
  const { lookUp } = ctx.sms;
  ctx.sms.lookUp = async (reference, signal) =>
    had.has(reference) ? { state: 'accepted', gatewayId: 'found' } : lookUp(reference, signal);
  await drain(ctx, { retries: true });
  ctx.sms.lookUp = lookUp;

  const sent = new Map<string, number>();
  const counted = [
    ...ctx.sms.sent.map(({ messageId }) => messageId),
    ...ctx.email.sent.map(({ reference }) => reference),
  ];
  for (const id of counted) sent.set(id, (sent.get(id) ?? 0) + 1);
  const rows = await db.query<{ id: string; what: string; channel: string; state: string }>(
    'SELECT o.id, o.what, o.channel, m.state FROM old_notice o JOIN message m ON m.id = o.id',
  );
  const going = new Set(['queued', 'retried', 'left by a dead worker']);
  const wrong = rows.filter(({ id, what, channel, state }) => {
    const goes = going.has(what) || (what === 'unknown outcome' && channel === 'email');
    const isDone = goes || what === 'unknown outcome' || what === 'settled';
    return (sent.get(id) ?? 0) !== (goes ? 1 : 0) || (isDone && state !== 'accepted');
  });
  assert.deepEqual(wrong.slice(0, 5), []);
  const replies = await db.query<{ id: string; was: string; state: string }>(
    'SELECT o.id, o.state AS was, m.state FROM old_reply o JOIN message m ON m.id = o.id',
  );
  assert.deepEqual(
    replies.filter(
      ({ id, was, state }) => state !== 'accepted' || (sent.get(id) ?? 0) !== (was === 'sending' ? 1 : 0),
    ),
    [],
  );
  assert.equal(await count(`message WHERE kind = 'inboxDigest' AND state = 'accepted'`), 50);
  assert.equal(await count('queued_message WHERE class IS NOT NULL'), 0);
});

test('an old dead letter is retried with a text, and a late report on an old notice counts', async () => {
  const [letter] = (await listDeadLetters(db, { limit: 5_000 })).filter(({ reason }) => reason === 'refused');
  const messageId = letter?.payload['messageId'] ?? '';
  assert.equal(await retryDeadLetter(ctx, letter?.id ?? ''), true);
  await drain(ctx, { retries: true });
  const [retried] = await db.query(`SELECT state, body <> '' AS told FROM message WHERE id = $1`, [
    messageId,
  ]);
  assert.deepEqual(retried, { state: 'accepted', told: true });

  const [old] = await db.query<{ id: string; attemptId: string }>(
    `SELECT id, attempt_id AS "attemptId" FROM old_notice WHERE channel = 'sms' AND what = 'settled' LIMIT 1`,
  );
  await recordReport(
    db,
    'recorded',
    { reference: old?.attemptId ?? '', state: 'undelivered', detail: 'Away' },
    at,
  );
  assert.deepEqual(await db.query('SELECT state, detail FROM message WHERE id = $1', [old?.id]), [
    { state: 'undelivered', detail: 'Away' },
  ]);
  const unplaced = await count(`conversation WHERE last_sent_at IS NULL`);
  const never = await count(
    `conversation c WHERE NOT EXISTS (SELECT FROM message m WHERE m.conversation_id = c.id AND m.handed_over_at IS NOT NULL)`,
  );
  assert.equal(unplaced, never, 'whose STOP it is goes by what was handed over before too');
});

test('old processes that still run: what they finish is kept, what they queue is sent, what they leave is swept', async () => {
  ctx.sms.clear();
  // The living worker ends some of its jobs, then dies with the others.
  await db.query(
    `WITH done AS (UPDATE notification SET state = 'accepted' WHERE id IN (SELECT id FROM notification ORDER BY id LIMIT 100) RETURNING id)
     DELETE FROM graphile_worker._private_jobs j USING done WHERE j.payload->>'notificationId' = done.id::text`,
  );
  const [{ left } = { left: 0 }] = await db.query<{ left: number }>(
    `SELECT count(*)::int AS left FROM notification WHERE channel = 'sms' AND state = 'sending'`,
  );
  await db.query(`UPDATE worker SET seen_at = clock_timestamp() - interval '1 minute'`);
  // An old API process stores a reply and a partner's SMS without a response; an old relay stores a notice.
  const [person] = await db.query<{
    talk: string;
    customer: string;
    workshop: string;
    phone: string;
    partner: string;
  }>(
    `SELECT o.talk_id AS talk, o.customer_id AS customer, c.workshop_id AS workshop, o.phone, (SELECT id FROM partner LIMIT 1) AS partner
       FROM old_reply o JOIN conversation c ON c.id = o.talk_id LIMIT 1`,
  );
  const [reply, partners, attempt] = [newId(), newId(), newId()];
  const stored = `INSERT INTO message (id, workshop_id, conversation_id, customer_id, partner_id, direction, recipient, body, encoding, segments,
    state, attempt_id, attempts, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, 'outbound', $6, 'Old', 'gsm7', 1, 'sending', $7, $8, $9, $9)`;
  const { workshop, talk, customer, phone, partner } = person ?? assert.fail();
  await db.query(stored, [reply, workshop, talk, customer, null, phone, null, 0, at]);
  await recordEvent(db, {
    ...{
      id: newId(),
      kind: 'message.queued',
      partnerId: null,
      workshopId: workshop,
      subjectId: reply,
      version: 1,
    },
    ...{ payload: {}, occurredAt: at },
  });
  await db.query(stored, [partners, workshop, talk, customer, partner, phone, attempt, 1, at]);
  await db.query(
    `INSERT INTO message_attempt (id, message_id, number, gateway, state, started_at)
     VALUES ($1, $2, 1, 'recorded', 'sending', clock_timestamp() - interval '30 seconds')`,
    [attempt, partners],
  );
  await db.query(
    `INSERT INTO notification (id, event_id, workshop_id, booking_id, audience, channel, recipient, created_at, updated_at)
     SELECT ${`'${newId()}'::uuid`}, event_id, $1, booking_id, 'workshop', 'sms', '+61255509999', $2, $2 FROM old_person LIMIT 1`,
    [workshop, at],
  );
  await db.pool.query(
    jobSql(
      'deliverNotification',
      `json_build_object('notificationId', id)`,
      `notification WHERE recipient = '+61255509999'`,
    ),
  );
  assert.deepEqual(
    await db.query('SELECT kind FROM message WHERE id = ANY($1) ORDER BY kind', [[reply, partners]]),
    [{ kind: 'partnerMessage' }, { kind: 'reply' }],
  );
  await adopt();
  assert.deepEqual([await count('notification'), await count('graphile_worker._private_jobs')], [0, 0]);
  await drain(ctx, { retries: true });
  assert.deepEqual(
    [ctx.sms.to('+61255509999').length, ctx.sms.to(phone).filter(({ body }) => body === 'Old').length],
    [1, 1],
  );
  assert.equal(ctx.sms.sent.length, left + 2, 'and what the dead worker had left');
  const { sweepSending } = await import('#sending/sweep.ts');
  await sweepSending(ctx);
  assert.deepEqual(await db.query('SELECT state, reason FROM message WHERE id = $1', [partners]), [
    { state: 'unknown', reason: 'unknownOutcome' },
  ]);
});

test('an installation that never had that queue has nothing to adopt', async () => {
  const fresh = await createTestDatabase();
  assert.equal(await adoptOldWork({ ...ctx, db: fresh.db }), 0);
});
