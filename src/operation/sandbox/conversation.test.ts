/** GET /sandbox/conversation: what was sent to a phone, what was answered, how long each SMS is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { magicNumbers } from '#platform/gateways/sms/sandbox.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { sandboxGateways } from '../../../test/harness/sandbox.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';
import { sizeOf } from './size.ts';

const price = { units: 45, decimals: 3, currency: 'AUD' };
const { app, partner, send } = await messagingWorld({
  gateways: sandboxGateways,
  config: { sandboxSegmentPrice: price },
});
const conversation = (phone: string) =>
  app.request('GET', `/sandbox/conversation?${new URLSearchParams({ phone })}`);
const answer = (from: string, body: string) =>
  app.request('POST', '/sandbox/inbound', { body: { from, body } });

test('what was sent and what was answered, oldest first, of all workshops, by a phone in any form', async () => {
  const phone = newPhone();
  await send({ phone, channels: { sms: { message: 'Is 5 pm fine?' } } });
  await answer(phone, 'Yes ✓');
  const other = await linkedWorkshop(app, [partner], { name: 'Other Garage' });
  await partner.call('POST', `/workshops/${other}/messages`, {
    phone,
    channels: { sms: { message: 'x'.repeat(161) } },
  });
  for (const form of [phone, `0${phone.slice(3)}`, phone.slice(1)]) {
    const { status, body } = await conversation(form);
    assert.equal(status, 200);
    assert.deepEqual(
      body.messages.map((each: Record<string, unknown>) => [
        ...[each['direction'], each['outcome'], each['from'], each['to'], each['encoding'], each['segments']],
      ]),
      [
        ['outbound', 'accepted', 'sandbox', phone, 'gsm7', 1],
        ['inbound', 'accepted', phone, 'Harbour Motors', 'ucs2', 1],
        ['outbound', 'accepted', 'sandbox', phone, 'gsm7', 2],
      ],
    );
    assert.deepEqual(body.messages[2].cost, { amount: 0.09, currency: 'AUD' });
  }
});

test('what was refused is in it; nobody’s phone has an empty one; what is no phone is 400', async () => {
  await send({ phone: magicNumbers.refusedForGood });
  const refused = await conversation(magicNumbers.refusedForGood);
  assert.deepEqual(
    refused.body.messages.map(({ outcome }: { outcome: string }) => outcome),
    ['refused'],
  );
  assert.deepEqual((await conversation(newPhone())).body, { messages: [] });
  for (const query of ['?phone=hello', '']) {
    const { status, body } = await app.request('GET', `/sandbox/conversation${query}`);
    assert.deepEqual([status, body.errorCode, body.errors[0].field], [400, '000001', 'phone']);
  }
});

test('the list says the size of an SMS, and none of an e-mail', async () => {
  const phone = newPhone();
  await send({ phone });
  const { body } = await app.request('GET', `/sandbox/messages?to=${encodeURIComponent(phone)}`);
  const { encoding, segments, cost } = body.messages[0];
  assert.deepEqual([encoding, segments, cost], ['gsm7', 1, { amount: 0.045, currency: 'AUD' }]);
});

test('a cost has no digits of binary fractions, and is null without a price', () => {
  assert.deepEqual(sizeOf('x'.repeat(400), { units: 1, decimals: 1, currency: 'NZD' }).cost, {
    amount: 0.3,
    currency: 'NZD',
  });
  assert.equal(sizeOf('x', null).cost, null);
});
