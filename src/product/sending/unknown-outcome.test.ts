/**
 * An SMS with an unknown outcome is never repeated without a look-up when the gateway has one (specification: Notices 9): a notice
 * of a booking, and an inbox digest.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SmsLookUp } from '#platform/gateways/sms/gateway.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { recordReport } from '#product/gateway-callbacks/record-report.ts';
import { enqueueInboxDigests } from '#product/notifications/inbox-digests/enqueue.ts';
import { composers } from '#work.ts';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { expectErrors } from '../../../test/harness/log.ts';
import { makeAllDue } from '../../../test/harness/sending.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';
import { sendDue } from './sender.ts';

const { app, partner, book } = await messagingWorld();
const { answer } = inboundWorld(app);
const { context, sms } = app;
const { db, clock } = context;
// Dead letters of messages whose outcome stays unknown.
expectErrors(/"reason":"unknownOutcome".*a message is given up/);

interface Row {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly attemptId: string;
  readonly gatewayId: string | null;
  readonly attempts: number;
  readonly repeatsUnknown: boolean;
}

/** Makes the waiting messages due, and runs the sender once. */
async function again(): Promise<void> {
  await makeAllDue(db);
  await app.drain();
}
/** Moves the beginning of the latest attempts this many seconds into the past. */
const ago = (phone: string, seconds: number) =>
  db.query(
    `UPDATE message_attempt a SET started_at = started_at - make_interval(secs => $2) FROM message m
      WHERE m.attempt_id = a.id AND m.recipient = $1`,
    [phone, seconds],
  );

let number = 0;
/** Creates a message by SMS, and returns its phone number. */
const makers = {
  async bookingNotice() {
    const phone = newPhone();
    await book(phone);
    return phone;
  },
  async inboxDigest() {
    const phone = newPhone();
    const smsSender = `+6148877${1000 + number++}`;
    await linkedWorkshop(app, [partner], { smsSender, phone, inboxNotices: 'sms' });
    await answer(newPhone(), 'Hello', { to: smsSender });
    await enqueueInboxDigests(context);
    return phone;
  },
} as const;

for (const [kind, make] of Object.entries(makers)) {
  const row = async (phone: string): Promise<Row> => {
    const [found] = await db.query<Row>(
      `SELECT m.id, m.state, m.reason, m.attempt_id, a.gateway_id, m.attempts, a.repeats_unknown
         FROM message m JOIN message_attempt a ON a.id = m.attempt_id
        WHERE m.recipient = $1 AND m.kind = $2 AND m.channel = 'sms'`,
      [phone, kind],
    );
    return found ?? assert.fail('no notice');
  };
  const letters = async (phone: string) => {
    const { id } = await row(phone);
    return (await listDeadLetters(db)).filter(({ payload }) => Object.values(payload).includes(id));
  };

  /** A message whose first attempt got no response, and the result of the gateway's look-up. */
  async function withUnknownOutcome(
    lookUp: SmsLookUp,
    more: 'and no answer again' | null = null,
  ): Promise<string> {
    const phone = await make();
    sms.always(phone, (sent) => {
      const isFirst = sms.to(phone).length === 1;
      if (!isFirst && more === null) return { state: 'accepted', gatewayId: 'g' };
      sms.setLookUp(sent.reference, lookUp);
      return { state: 'unknown', detail: 'No answer.' };
    });
    await app.drain();
    const { state, reason } = await row(phone);
    assert.deepEqual([state, reason], ['unknown', 'unknownOutcome']);
    return phone;
  }

  test(`always: ${kind}: the gateway has it: accepted, and not sent again`, async () => {
    const phone = await withUnknownOutcome({ state: 'accepted', gatewayId: 'found' });
    const { attemptId } = await row(phone);
    await app.drain({ retries: true });
    const found = await row(phone);
    assert.deepEqual([found.state, found.gatewayId, found.attemptId], ['accepted', 'found', attemptId]);
    assert.equal(sms.to(phone).length, 1);
  });

  test(`${kind}: the gateway has it, and it failed there: undelivered, and not sent again`, async () => {
    const final = { state: 'undelivered', detail: null } as const;
    const phone = await withUnknownOutcome({ state: 'accepted', gatewayId: 'found', final });
    await app.drain({ retries: true });
    assert.equal((await row(phone)).state, 'undelivered');
    assert.deepEqual([sms.to(phone).length, await letters(phone)], [1, []]);
  });

  test(`${kind}: the gateway does not have it: sent again, and the customer gets it once (specification: Notices 16)`, async () => {
    const phone = await withUnknownOutcome({ state: 'notFound' });
    await app.drain({ retries: true });
    const { state, attempts, repeatsUnknown } = await row(phone);
    assert.deepEqual([state, attempts, repeatsUnknown, sms.to(phone).length], ['accepted', 2, false, 2]);
  });

  test(`${kind}: the look-up fails each time: looked up again, never sent again, finally a dead letter`, async () => {
    const phone = await withUnknownOutcome({ state: 'unknown' });
    const before = await row(phone);
    await ago(phone, 7_200);
    await app.drain({ retries: true });
    assert.deepEqual([sms.to(phone).length, await row(phone)], [1, before]);
    const [letter, ...others] = await letters(phone);
    assert.deepEqual([letter?.reason, letter?.attempts, others], ['unknownOutcome', 8, []]);
    assert.match(letter?.detail ?? '', /does not say for now/);
  });

  test(`${kind}: a later look-up has the result: settled then`, async () => {
    const phone = await withUnknownOutcome({ state: 'unknown' });
    const { attemptId } = await row(phone);
    await again();
    assert.equal((await row(phone)).state, 'unknown');
    sms.setLookUp(attemptId, { state: 'accepted', gatewayId: 'at last' });
    await again();
    const found = await row(phone);
    assert.deepEqual([found.state, found.gatewayId, sms.to(phone).length], ['accepted', 'at last', 1]);
  });

  test(`always: ${kind}: the gateway has no look-up: sent again once, after a minute for the report (specification: Notices 16)`, async () => {
    const phone = await withUnknownOutcome({ state: 'unknown', permanent: true }, 'and no answer again');
    await ago(phone, 50);
    await again();
    assert.equal(sms.to(phone).length, 1);
    await ago(phone, 10);
    await again();
    const repeated = await row(phone);
    assert.deepEqual([repeated.state, repeated.repeatsUnknown, sms.to(phone).length], ['unknown', true, 2]);
    await ago(phone, 3_600);
    await app.drain({ retries: true });
    assert.equal(sms.to(phone).length, 2, 'a second time never');
    assert.deepEqual(
      (await letters(phone)).map(({ reason }) => reason),
      ['unknownOutcome'],
    );
  });

  test(`always: ${kind}: moving the business clock does not count as time passed: nothing is sent again (specification: Clocks 2)`, async () => {
    const phone = await withUnknownOutcome({ state: 'unknown', permanent: true });
    app.advance(3_600);
    await again();
    assert.equal(sms.to(phone).length, 1);
  });

  test(`${kind}: a report settles it, also one that comes during the look-up`, async () => {
    for (const when of ['before', 'during'] as const) {
      const phone = await withUnknownOutcome({ state: 'notFound' });
      const { attemptId } = await row(phone);
      const report = () =>
        recordReport({ db, clock }, 'recorded', { reference: attemptId, state: 'delivered', detail: null });
      const { lookUp } = sms;
      if (when === 'before') await report();
      else {
        sms.lookUp = async () => {
          await report();
          return { state: 'notFound' };
        };
      }
      await again();
      sms.lookUp = lookUp;
      await app.drain({ retries: true });
      const { state, attempts } = await row(phone);
      assert.deepEqual([state, attempts, sms.to(phone).length], ['delivered', 1, 1], when);
    }
  });

  test(`${kind}: an attempt of a process that died during the hand-over is reconciled too, and the result is kept`, async () => {
    for (const [lookUp, state] of [
      [{ state: 'accepted', gatewayId: 'before the crash' }, 'accepted'],
      [{ state: 'unknown' }, 'unknown'],
    ] as const) {
      const phone = await withUnknownOutcome(lookUp);
      // The state that a process leaves when it dies.
      await db.query(
        `WITH m AS (UPDATE message SET state = 'sending', reason = NULL, detail = NULL, attempt_id = NULL, attempts = 0
           WHERE recipient = $1 AND kind = $2 RETURNING id),
         a AS (UPDATE message_attempt a SET state = 'sending', reason = NULL, finished_at = NULL FROM m WHERE a.message_id = m.id)
         UPDATE queued_message q SET in_flight = true, due_at = clock_timestamp() + interval '20 seconds' FROM m WHERE q.message_id = m.id`,
        [phone, kind],
      );
      await again();
      const left = await db.query('SELECT state FROM message WHERE recipient = $1 AND kind = $2', [
        phone,
        kind,
      ]);
      assert.deepEqual(left, [{ state: 'sending' }], 'while its lease holds it is not claimed');
      await db.query(
        `WITH q AS (UPDATE queued_message SET due_at = clock_timestamp() WHERE recipient = $1 AND in_flight RETURNING *)
         INSERT INTO send_wake (workshop_id, channel, class, due_at) SELECT workshop_id, channel, class, due_at FROM q`,
        [phone],
      );
      await app.drain();
      const found = await row(phone);
      assert.deepEqual(
        [found.state, found.reason, sms.to(phone).length],
        [state, state === 'unknown' ? 'unknownOutcome' : null, 1],
      );
    }
  });

  test(`${kind}: several senders reconcile one unknown outcome and send the message once more, not twice`, async () => {
    const phone = await withUnknownOutcome({ state: 'notFound' });
    await makeAllDue(db);
    for (let pass = 0; pass < 4; pass++) {
      await Promise.all(Array.from({ length: 3 }, () => sendDue(context, composers)));
    }
    assert.deepEqual([(await row(phone)).state, sms.to(phone).length], ['accepted', 2]);
  });
}
