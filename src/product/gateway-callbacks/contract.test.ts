/**
 * The rules for every provider with callbacks, over real HTTP in both directions: reports update a message, an inbound SMS is
 * stored in its conversation once, and a request from anybody else changes nothing.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import { newPhone } from '../../../test/fixtures/messaging.ts';
import { type Callback, callingProviders } from '../../../test/fixtures/provider-callbacks.ts';
import { startSmsProvider } from '../../../test/fixtures/sms-provider.ts';
import { worldThrough } from '../../../test/fixtures/through-gateway.ts';

for (const [name, calling] of Object.entries(callingProviders)) {
  const provider = await startSmsProvider(calling.accepts);
  const settings = { PITLANE_SMS_GATEWAYS: name, ...calling.settings(provider.url) };
  const { app, post, send, read } = await worldThrough(settings);
  const { conversations } = inboundWorld(app);

  describe(name, () => {
    const bring = ({ path, method, headers = {}, body }: Callback) =>
      app.request(method, path, { headers, ...(body !== undefined && { body }) });

    const handedOver = () => provider.asked.at(-1) ?? assert.fail('nothing was handed over');

    async function sent() {
      const phone = newPhone();
      const { sms } = await send({ phone });
      return { phone, messageId: sms.messageId, by: handedOver() };
    }

    async function assertRefused(callback: Callback): Promise<void> {
      for (const forged of calling.forged(callback)) {
        const { status, body } = await bring(forged);
        assert.deepEqual([status, body.errorCode], [404, '000002'], JSON.stringify(forged));
      }
    }

    test('an accepted message is delivered by its report; forged, repeated and later reports change nothing', async () => {
      const { messageId, by } = await sent();
      const report = (state: 'onItsWay' | 'delivered' | 'failed') => calling.report(by, state);
      assert.equal((await bring(report('onItsWay'))).status, 200);
      await assertRefused(report('failed'));
      await assertRefused(report('delivered'));
      assert.equal((await read(messageId)).state, 'accepted');
      const delivered = report('delivered');
      for (const each of [delivered, delivered, report('failed'), report('onItsWay')]) {
        const { status, body } = await bring(each);
        // Some providers send the text of a response to the customer.
        assert.deepEqual([status, String(body ?? '').replace(/<[^>]*>/g, '')], [200, '']);
        assert.equal((await read(messageId)).state, 'delivered');
      }
    });

    test('a failure is recorded with its reason in words', async () => {
      const { messageId, by } = await sent();
      assert.equal((await bring(calling.report(by, 'failed'))).status, 200);
      const { state, detail } = await read(messageId);
      assert.deepEqual([state, detail], ['undelivered', calling.failure]);
    });

    test('a report decides an unknown outcome', async () => {
      provider.answer((_, response) => response.destroy());
      const { body } = await post({ phone: newPhone() });
      assert.deepEqual([body.success, body.sms.reason], [false, 'unknownOutcome']);
      assert.equal((await bring(calling.report(handedOver(), 'delivered'))).status, 200);
      assert.equal((await read(body.sms.messageId)).state, 'delivered');
      provider.answer(calling.accepts);
    });

    test("the customer's answer is stored in the conversation once, in whatever form and however often it is delivered", async () => {
      const { phone, by } = await sent();
      const its = calling.inbound(by, { id: newId(), from: phone, text: 'Yes & ✓' });
      for (const each of [...its, ...its]) assert.equal((await bring(each)).status, 200);
      for (const each of calling.inbound(by, { id: newId(), from: phone, text: 'Forged' }))
        await assertRefused(each);
      const [conversation, ...more] = await conversations(phone);
      assert.deepEqual(
        conversation?.messages.map(({ direction, body }) => [direction, body]),
        [
          ['outbound', 'Your car is ready.'],
          ['inbound', 'Yes & ✓'],
        ],
      );
      assert.deepEqual(more, []);
    });
  });
}
