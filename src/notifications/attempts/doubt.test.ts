/**
 * A notice's SMS whose outcome is unknown (issue 3, item 2: never blindly repeated where the gateway can be asked): of a
 * booking, and of customers' answers.
 */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { recordReport } from '#carrier/record-report.ts';
import type { SmsLookUp } from '#gateways/sms/gateway.ts';
import { listDeadLetters } from '#work/dead-letters/store.ts';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { expectErrors } from '../../../test/harness/log.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';
import { deliverAnswerNotice } from '../answers/deliver.ts';
import { tellOfAnswers } from '../answers/tell.ts';
import { deliverNotification } from '../deliver.ts';

const { app, partner, book } = await messagingWorld();
const { answer } = inboundWorld(app);
const { context, sms } = app;
const { db, clock } = context;

let passedSeconds = 0;
/** Until the test's end: an attempt's id tells the real time. */
function pass(seconds: number): void {
  passedSeconds += seconds;
  app.pass(seconds);
}
afterEach(() => pass(-passedSeconds));

interface Row {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly attemptId: string;
  readonly gatewayId: string | null;
  readonly attempts: number;
  readonly repeatsUnknown: boolean;
}

let number = 0;
const kinds = {
  notification: {
    /** Makes one notice by SMS, and returns the phone that it goes to. */
    async make() {
      const phone = newPhone();
      await book(phone);
      return phone;
    },
    deliver: (id: string) => deliverNotification(context, { notificationId: id }),
  },
  answer_notice: {
    async make() {
      const phone = newPhone();
      const smsSender = `+6148877${1000 + number++}`;
      await linkedWorkshop(app, [partner], { smsSender, phone, inboxNotices: 'sms' });
      await answer(newPhone(), 'Hello', { to: smsSender });
      await tellOfAnswers(context);
      return phone;
    },
    deliver: (id: string) => deliverAnswerNotice(context, { answerNoticeId: id }),
  },
} as const;

for (const [table, kind] of Object.entries(kinds)) {
  const row = async (phone: string): Promise<Row> => {
    const [found] = await db.query<Row>(
      `SELECT id, state, reason, attempt_id AS "attemptId", gateway_id AS "gatewayId", attempts, repeats_unknown AS "repeatsUnknown"
         FROM ${table} WHERE recipient = $1 AND channel = 'sms'`,
      [phone],
    );
    return found ?? assert.fail('no notice');
  };
  const letters = async (phone: string) => {
    const { id } = await row(phone);
    return (await listDeadLetters(db)).filter(({ payload }) => Object.values(payload).includes(id));
  };

  /** A notice whose first attempt got no answer, and what the gateway says of it when it is asked. */
  async function inDoubt(lookUp: SmsLookUp, more: 'and no answer again' | null = null): Promise<string> {
    const phone = await kind.make();
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

  test(`${table}: the gateway has it: accepted, and not sent again`, async () => {
    expectErrors(/does not say for now/);
    const phone = await inDoubt({ state: 'accepted', gatewayId: 'found' });
    const { attemptId } = await row(phone);
    await app.drain({ retries: true });
    const found = await row(phone);
    assert.deepEqual([found.state, found.gatewayId, found.attemptId], ['accepted', 'found', attemptId]);
    assert.equal(sms.to(phone).length, 1);
  });

  test(`${table}: the gateway does not have it: sent again, which repeats nothing`, async () => {
    const phone = await inDoubt({ state: 'notFound' });
    await app.drain({ retries: true });
    const { state, attempts, repeatsUnknown } = await row(phone);
    assert.deepEqual([state, attempts, repeatsUnknown, sms.to(phone).length], ['accepted', 2, false, 2]);
  });

  test(`${table}: the gateway does not say for now: asked again, never sent again, a dead letter at last`, async () => {
    expectErrors(/does not say for now/);
    const phone = await inDoubt({ state: 'unknown' });
    const before = await row(phone);
    for (let i = 0; i < 20; i++) {
      pass(3_600);
      await app.drain({ retries: true });
    }
    assert.deepEqual([sms.to(phone).length, await row(phone)], [1, before]);
    const [letter, ...others] = await letters(phone);
    assert.deepEqual([letter?.reason, letter?.attempts, others], ['unknownOutcome', 8, []]);
    assert.match(letter?.detail ?? '', /does not say for now/);
  });

  test(`${table}: the gateway says so later: settled then`, async () => {
    const phone = await inDoubt({ state: 'unknown' });
    const { id, attemptId } = await row(phone);
    await assert.rejects(kind.deliver(id), /does not say for now/);
    sms.setLookUp(attemptId, { state: 'accepted', gatewayId: 'at last' });
    await kind.deliver(id);
    const found = await row(phone);
    assert.deepEqual([found.state, found.gatewayId, sms.to(phone).length], ['accepted', 'at last', 1]);
  });

  test(`${table}: the gateway can't be asked: sent again once, after a minute for the report`, async () => {
    expectErrors(/no delivery report has come yet/);
    const phone = await inDoubt({ state: 'unknown', permanent: true }, 'and no answer again');
    const { id } = await row(phone);
    pass(59);
    await assert.rejects(kind.deliver(id), /no delivery report has come yet/);
    assert.equal(sms.to(phone).length, 1);
    pass(1);
    await assert.rejects(kind.deliver(id), /No answer/);
    const again = await row(phone);
    assert.deepEqual([again.state, again.repeatsUnknown, sms.to(phone).length], ['unknown', true, 2]);
    pass(3_600);
    await app.drain({ retries: true });
    assert.equal(sms.to(phone).length, 2, 'a second time never');
    assert.deepEqual(
      (await letters(phone)).map(({ reason }) => reason),
      ['unknownOutcome'],
    );
  });

  test(`${table}: a business clock that is moved is no time that has passed: nothing is sent again for it`, async () => {
    const phone = await inDoubt({ state: 'unknown', permanent: true });
    const { id } = await row(phone);
    app.advance(3_600);
    await assert.rejects(kind.deliver(id), /no delivery report has come yet/);
    await db.query(`UPDATE ${table} SET state = 'sending', reason = NULL, detail = NULL WHERE id = $1`, [id]);
    await assert.rejects(kind.deliver(id), { reason: 'sending' });
    assert.equal(sms.to(phone).length, 1);
  });

  test(`${table}: a report settles it, also one that comes while the gateway is asked`, async () => {
    for (const when of ['before', 'during'] as const) {
      const phone = await inDoubt({ state: 'notFound' });
      const { id, attemptId } = await row(phone);
      const report = () =>
        recordReport(db, 'recorded', { reference: attemptId, state: 'delivered', detail: null }, clock.now());
      const { lookUp } = sms;
      if (when === 'before') await report();
      else {
        sms.lookUp = async () => {
          await report();
          return { state: 'notFound' };
        };
      }
      await kind.deliver(id);
      sms.lookUp = lookUp;
      const { state, attempts } = await row(phone);
      assert.deepEqual([state, attempts, sms.to(phone).length], ['delivered', 1, 1], when);
    }
  });

  test(`${table}: of a worker that died during the hand-over it is asked too, and what it says is kept`, async () => {
    for (const [lookUp, state] of [
      [{ state: 'accepted', gatewayId: 'before the crash' }, 'accepted'],
      [{ state: 'unknown' }, 'unknown'],
    ] as const) {
      const phone = await inDoubt(lookUp);
      const { id } = await row(phone);
      // As the dead worker left it.
      await db.query(`UPDATE ${table} SET state = 'sending', reason = NULL, detail = NULL WHERE id = $1`, [
        id,
      ]);
      await assert.rejects(kind.deliver(id), { reason: 'sending' });
      pass(15);
      if (state === 'accepted') await kind.deliver(id);
      else await assert.rejects(kind.deliver(id));
      pass(-15);
      const found = await row(phone);
      assert.deepEqual(
        [found.state, found.reason, sms.to(phone).length],
        [state, state === 'unknown' ? 'unknownOutcome' : null, 1],
      );
    }
  });

  test(`${table}: two workers with one notice in doubt send it once more, not twice`, async () => {
    const phone = await inDoubt({ state: 'notFound' });
    const { id } = await row(phone);
    const done = await Promise.allSettled([kind.deliver(id), kind.deliver(id), kind.deliver(id)]);
    assert.ok(done.some(({ status }) => status === 'fulfilled'));
    assert.deepEqual([(await row(phone)).state, sms.to(phone).length], ['accepted', 2]);
  });
}
