/** POST /sandbox/inbound: an answer as the customer (specification: Sandbox 1). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const { app, partner, workshopId, send } = await messagingWorld();
const { conversations, optedOutAt } = inboundWorld(app);
const inbound = (body: unknown) => app.request('POST', '/sandbox/inbound', { body });

test('without a token the SMS is stored in the conversation, and the response has its ids', async () => {
  const phone = newPhone();
  const { sms } = await send({ phone });
  const { status, body } = await inbound({ from: `0${phone.slice(3)}`, body: 'Yes' });
  const [found] = await conversations(phone);
  assert.deepEqual(
    [status, body],
    [
      200,
      {
        placed: true,
        workshopId,
        customerId: found?.customerId,
        conversationId: sms.conversationId,
        messageId: found?.messages[1]?.id,
      },
    ],
  );
});

test('with `to` it goes to the workshop with that sender, a number in any form or a name', async () => {
  for (const [smsSender, to] of [
    ['0491 570 990', '0491 570 990'],
    ['Carlton', 'Carlton'],
  ]) {
    const id = await linkedWorkshop(app, [partner], { smsSender: smsSender ?? '' });
    const { body } = await inbound({ from: newPhone(), to, body: 'Hello' });
    assert.deepEqual([body.placed, body.workshopId], [true, id]);
  }
});

test('the same text twice is two messages', async () => {
  const phone = newPhone();
  await send({ phone });
  for (let i = 0; i < 2; i++) await inbound({ from: phone, to: null, body: 'Yes' });
  assert.equal((await conversations(phone))[0]?.messages.length, 3);
});

test('STOP opts out', async () => {
  const phone = newPhone();
  await send({ phone });
  await inbound({ from: phone, to: 'sandbox', body: 'Stop!' });
  assert.ok(await optedOutAt(phone));
});

test('from an unknown sender it is unmatched', async () => {
  const { status, body } = await inbound({ from: newPhone(), body: 'Hello' });
  const none = { workshopId: null, customerId: null, conversationId: null, messageId: null };
  assert.deepEqual([status, body], [200, { placed: false, ...none }]);
});

test('400 000001 names every field that is wrong', async () => {
  for (const [body, fields] of [
    [{}, ['from', 'body']],
    [{ from: 'Telco', body: 'x' }, ['from']],
    [{ from: 1, to: 2, body: 3 }, ['from', 'to', 'body']],
    [{ from: '0491570006', body: 'x'.repeat(10_001) }, ['body']],
  ] as const) {
    const answer = await inbound(body);
    assert.deepEqual([answer.status, answer.body.errorCode], [400, '000001']);
    const named = answer.body.errors.map(({ field }: { field: string }) => field);
    assert.deepEqual(named.sort(), [...fields].sort());
  }
});

test('the route exists with the sandbox only', async () => {
  const real = await startTestApp({ sandbox: false });
  const { status } = await real.request('POST', '/sandbox/inbound', {
    body: { from: '0491570006', body: 'x' },
  });
  assert.equal(status, 404);
});
