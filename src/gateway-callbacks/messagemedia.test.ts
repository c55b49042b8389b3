/** The whole way through MessageMedia, as it is documented: message, signed report, delivered, signed answer. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { newId } from '#values/id.ts';
import { inboundWorld } from '../../test/fixtures/inbound.ts';
import { publicKey, type SignedWith, signatureHeaders } from '../../test/fixtures/messagemedia-signature.ts';
import { newPhone } from '../../test/fixtures/messaging.ts';
import { type AskedOfProvider, startSmsProvider } from '../../test/fixtures/sms-provider.ts';
import { publicUrl, worldThrough } from '../../test/fixtures/through-gateway.ts';

const accepting = ({ body }: AskedOfProvider) => ({
  messages: JSON.parse(body).messages.map((message: object) => ({
    ...message,
    message_id: newId(),
    status: 'queued',
  })),
});
const provider = await startSmsProvider([202, accepting]);
const { app, send, post, read } = await worldThrough({
  PITLANE_SMS_GATEWAYS: 'messagemedia',
  MESSAGEMEDIA_URL: provider.url,
  MESSAGEMEDIA_API_KEY: 'key',
  MESSAGEMEDIA_API_SECRET: 'secret',
  MESSAGEMEDIA_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
});
const { conversations } = inboundWorld(app);

/** What the provider was handed last: where to call, and what travels with it. */
function handedOver() {
  const [message] = JSON.parse(provider.asked.at(-1)?.body ?? '').messages;
  assert.ok(message.callback_url.startsWith(`${publicUrl}/`));
  return { path: message.callback_url.slice(publicUrl.length), metadata: message.metadata };
}

async function bring(path: string, content: object, options?: SignedWith): Promise<number> {
  const body = JSON.stringify(content);
  return (await app.request('POST', path, { body, headers: signatureHeaders(path, body, options) })).status;
}

async function sent() {
  const phone = newPhone();
  const { sms } = await send({ phone });
  return { phone, messageId: sms.messageId, ...handedOver() };
}

test('a message is accepted, reported of and delivered; what is forged or brought again changes nothing', async () => {
  const { phone, messageId, path, metadata } = await sent();
  const report = (status: string, error_code: string) => ({
    delivery_report_id: newId(),
    source_number: phone,
    status,
    error_code,
    metadata,
  });
  assert.equal((await read(messageId)).state, 'accepted');
  assert.equal(await bring(path, report('enroute', '101')), 200);
  assert.equal((await read(messageId)).state, 'accepted');

  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  assert.equal(await bring(path, report('failed', '400'), { key }), 404);
  assert.equal((await app.request('POST', path, { body: report('failed', '400') })).status, 404);
  assert.equal((await read(messageId)).state, 'accepted');

  const delivered = report('delivered', '221');
  for (const each of [delivered, delivered, report('rejected', '302')]) {
    assert.equal(await bring(path, each), 200);
    assert.equal((await read(messageId)).state, 'delivered');
  }
});

test('a failure keeps its reason in words', async () => {
  const { messageId, path, metadata } = await sent();
  assert.equal(await bring(path, { status: 'rejected', error_code: '302', metadata }), 200);
  const { state, detail } = await read(messageId);
  assert.deepEqual([state, detail], ['undelivered', 'rejected: the number is blocked (302)']);
});

test("the customer's answer comes to the same address, and to the account's webhook, and is in the conversation once", async () => {
  const { phone, path, metadata } = await sent();
  const reply = { reply_id: newId(), message_id: newId(), source_number: phone, content: 'Yes ✓', metadata };
  for (const where of [path, path, '/gateways/messagemedia/inbound']) {
    assert.equal(await bring(where, reply), 200);
  }
  assert.equal(
    await bring('/gateways/messagemedia/inbound', { ...reply, reply_id: newId() }, { digest: 'SHA1' }),
    404,
  );
  const [conversation, ...more] = await conversations(phone);
  assert.deepEqual(
    conversation?.messages.map(({ direction, body }) => [direction, body]),
    [
      ['outbound', 'Your car is ready.'],
      ['inbound', 'Yes ✓'],
    ],
  );
  assert.deepEqual(more, []);
});

test('what can not be read, although it is signed, is refused', async () => {
  const { path } = await sent();
  for (const where of [path, '/gateways/messagemedia/reports', '/gateways/messagemedia/inbound']) {
    assert.equal(await bring(where, { hello: 'world' }), 400);
  }
});

test('an unknown outcome is asked after when the partner repeats the request, and not sent twice', async () => {
  const phone = newPhone();
  const body = { phone, referenceId: newId() };
  provider.answer([502, 'Bad gateway']);
  const first = await post(body);
  assert.deepEqual([first.body.success, first.body.sms.reason], [false, 'unknownOutcome']);
  const { metadata } = handedOver();
  const before = provider.asked.length;
  const found = {
    message_id: newId(),
    metadata: [{ key: 'reference', value: metadata.reference }],
  };
  provider.answer(({ url }, response) => {
    assert.match(url, /reporting/);
    response.end(JSON.stringify({ messages: [found] }));
  });
  const second = await post(body);
  assert.deepEqual([second.status, second.body.success], [200, true]);
  assert.equal(provider.asked.length, before + 1, 'asked, and nothing sent');
  assert.equal((await read(second.body.sms.messageId)).state, 'accepted');
  provider.answer([202, accepting]);
});
