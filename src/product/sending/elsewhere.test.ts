/** What happens to messages whose gateway takes none: the next gateway of the route, a new route, or a refusal to the caller. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { waitingMessages } from '#operation/status/store.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { away, limitersWorld, work } from '../../../test/fixtures/limiters.ts';
import { newPhone } from '../../../test/fixtures/messaging.ts';
import { expectErrors } from '../../../test/harness/log.ts';
import { until } from '../../../test/harness/wait.ts';

test('when the first gateway of a route fails, its messages go through the second', async (t) => {
  const w = await limitersWorld();
  const workshopId = await w.workshop('kannel,twilio');
  w.slow.send = async () => away;
  await w.book(workshopId, 10);
  await work(t, w);
  await until('all are delivered', async () => (await w.accepted(workshopId, 'sms')) === 20);
  assert.equal(w.slowLimiter.state().breaker, 'open');
  const by = await w.app.context.db.query(
    `SELECT DISTINCT a.gateway FROM message m JOIN message_attempt a ON a.id = m.attempt_id WHERE m.workshop_id = $1 AND m.channel = 'sms'`,
    [workshopId],
  );
  assert.deepEqual(by, [{ gateway: 'twilio' }]);
});

test('messages that wait for a dead gateway go through another one as soon as the workshop’s route includes it', async (t) => {
  const w = await limitersWorld('kannel');
  const { db, clock } = w.app.context;
  const workshopId = await w.workshop('kannel');
  w.slow.send = async () => away;
  await w.book(workshopId, 10);
  await work(t, w);
  await until('the breaker opens', () => w.slowLimiter.state().breaker === 'open');
  await until('no message is under way', async () => {
    const sent = await db.query('SELECT FROM queued_message WHERE in_flight');
    return sent.length === 0 && (await waitingMessages(db)).some(({ count }) => count === 20);
  });
  await setWorkshop({ db, clock }, workshopId, { smsGateways: ['twilio'] }, actors.operator);
  await until('all are delivered', async () => (await w.accepted(workshopId, 'sms')) === 20);
});

test('messages of a route without configured gateways become dead letters that give this reason', async () => {
  expectErrors(/is configured here: clicksend/);
  const w = await limitersWorld();
  const workshopId = await w.workshop('clicksend');
  await w.book(workshopId, 1);
  await w.app.drain({ retries: true });
  const letters = await listDeadLetters(w.app.context.db);
  assert.deepEqual(
    letters.map(({ reason, detail, attempts }) => [reason, detail, attempts]),
    Array(2).fill([
      'gatewayUnavailable',
      "None of the workshop's SMS gateways is configured here: clicksend.",
      8,
    ]),
  );
});

test('when no gateway can take a partner’s message the response says so within seconds, and a retry sends it', async () => {
  const w = await limitersWorld('kannel');
  const workshopId = await w.workshop(null);
  w.slow.send = async () => away;
  const phone = newPhone();
  const post = (referenceId: string) =>
    w.partner.call('POST', `/workshops/${workshopId}/messages`, {
      phone: referenceId === 'R' ? phone : newPhone(),
      referenceId,
      channels: { sms: { message: 'Your car is ready.' } },
    });
  for (let i = 0; i < 5; i++) await post(`${i}`);
  assert.equal(w.slowLimiter.state().breaker, 'open');
  const refused = await post('R');
  assert.equal(refused.status, 200);
  const { sms } = refused.body;
  assert.deepEqual([refused.body.success, sms.sent, sms.reason], [false, false, 'gatewayUnavailable']);
  const [why] = await w.app.context.db.query('SELECT detail FROM message WHERE id = $1', [sms.messageId]);
  assert.match(String(why?.['detail']), /kannel has not worked lately/);
  w.slow.send = async ({ reference }) => ({ state: 'accepted', gatewayId: reference });
  await w.timers.pass(5_000);
  const sent = (await post('R')).body;
  assert.deepEqual([sent.success, sent.sms.messageId], [true, sms.messageId]);
  const read = await w.partner.call('GET', `/workshops/${workshopId}/messages/${sms.messageId}`);
  assert.deepEqual(
    read.body.message.attempts.map(({ state }: { state: string }) => state),
    ['failed', 'accepted'],
  );
});
