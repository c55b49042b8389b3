/**
 * MessageMedia's specifics, beyond those of every provider (contract.test.ts): opt-outs, its blacklist, pictures, unreadable
 * callbacks.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { deleteSmsAccount, putSmsAccount } from '#product/workshops/sms-accounts/store.ts';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import {
  publicKey,
  type SignedWith,
  signatureHeaders,
} from '../../../test/fixtures/messagemedia-signature.ts';
import { newPhone } from '../../../test/fixtures/messaging.ts';
import { pictures } from '../../../test/fixtures/pictures.ts';
import { type AskedOfProvider, startSmsProvider } from '../../../test/fixtures/sms-provider.ts';
import { publicUrl, worldThrough } from '../../../test/fixtures/through-gateway.ts';

const accepting = ({ body }: AskedOfProvider) => ({
  messages: JSON.parse(body).messages.map((message: object) => ({
    ...message,
    message_id: newId(),
    status: 'queued',
  })),
});
const provider = await startSmsProvider([202, accepting]);
const { app, send, post, read, workshopId } = await worldThrough({
  PITLANE_SMS_GATEWAYS: 'messagemedia',
  MESSAGEMEDIA_URL: provider.url,
  MESSAGEMEDIA_API_KEY: 'key',
  MESSAGEMEDIA_API_SECRET: 'secret',
  MESSAGEMEDIA_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
});
const { conversations, optedOutAt, events } = inboundWorld(app);

/** The provider's latest request: the callback URL and its metadata. */
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

test('MessageMedia’s opt-out notification opts the customer out, also when it contains several', async () => {
  for (const unfilled of [false, true]) {
    const [one, two] = [await sent(), await sent()];
    for (const { phone } of [one, two]) {
      const id = unfilled ? { reply_id: '$moId' } : { notification_id: newId() };
      const notification = { ...id, source_number: phone, content: 'STOP' };
      assert.equal(await bring('/gateways/messagemedia/callbacks', notification), 200);
      assert.ok((await optedOutAt(phone)) instanceof Date);
    }
  }
});

test('a report that MessageMedia blocks the number (302, 412) opts the customer out here too; other failures do not', async () => {
  for (const [error_code, isOptOut] of [
    ['302', true],
    ['412', true],
    ['414', false],
  ] as const) {
    const { phone, path, metadata } = await sent();
    const report = { status: 'rejected', error_code, metadata };
    for (let i = 0; i < 2; i++) assert.equal(await bring(path, report), 200);
    assert.equal((await optedOutAt(phone)) instanceof Date, isOptOut, error_code);
    assert.equal((await events('customer.optedOut', phone)).length, isOptOut ? 1 : 0);
    assert.equal((await send({ phone })).sms.reason, isOptOut ? 'optedOut' : null);
  }
});

test('START removes the number from MessageMedia’s blacklist; if that fails, it is logged and the callback is retried', async () => {
  const { phone } = await sent();
  const start = { reply_id: newId(), source_number: phone, content: 'Start' };
  await bring('/gateways/messagemedia/inbound', { ...start, reply_id: newId(), content: 'STOP' });
  const before = provider.asked.length;
  const gateway = 'messagemedia';
  const answers = (removal: number, authorised: boolean) =>
    provider.answer(({ method }, response) => {
      const isRemoval = method === 'DELETE';
      response.writeHead(isRemoval ? removal : 200);
      response.end(isRemoval ? '' : JSON.stringify({ numbers: [{ number: phone, authorised }] }));
    });
  for (const [removal, authorised, status] of [
    [500, false, 503],
    [404, false, 503],
    [200, true, 200],
    [404, true, 200],
  ] as const) {
    answers(removal, authorised);
    assert.equal(await bring('/gateways/messagemedia/inbound', start), status);
  }
  const asked = provider.asked.slice(before).map(({ method }) => method);
  assert.deepEqual(asked, ['DELETE', ...['DELETE', 'GET'], ...['DELETE', 'GET'], ...['DELETE', 'GET']]);
  assert.equal(await optedOutAt(phone), null);

  await putSmsAccount(app.context.db, { workshopId, gateway, account: 'Garage_1' });
  for (const reply_id of [newId(), start.reply_id]) {
    answers(200, true);
    assert.equal(await bring('/gateways/messagemedia/inbound', { ...start, reply_id }), 200);
    assert.equal(provider.asked.at(-1)?.headers['account'], 'Garage_1', 'a repeat too');
  }
  await deleteSmsAccount(app.context.db, workshopId, gateway);
  provider.answer([202, accepting]);
});

test('a picture without a text is an inbound message', async () => {
  const { phone } = await sent();
  const png = pictures['image/png'] ?? assert.fail();
  const content = png.toString('base64');
  const attachments = [{ content_type: 'image/png', content, original_name: 'file.png' }];
  const mms = { reply_id: newId(), source_number: phone, attachments };
  assert.equal(await bring('/gateways/messagemedia/inbound', mms), 200);
  const message = (await conversations(phone))[0]?.messages.at(-1);
  assert.equal(message?.body, '[1 attachment]');
  const kept = () =>
    app.context.db.query(
      `SELECT message_id = $1 AS its, state, reason, size_bytes AS size, content FROM message_attachment ORDER BY message_id`,
      [message?.id],
    );
  const [first] = await kept();
  assert.deepEqual(first, { its: true, state: 'stored', reason: null, size: png.length, content: png });
  assert.equal(await bring('/gateways/messagemedia/inbound', mms), 200);
  assert.equal((await kept()).length, 1);
  // As large as networks allow an MMS to be.
  const [attachment] = attachments;
  const large = {
    ...mms,
    reply_id: newId(),
    attachments: [{ ...attachment, content: 'A'.repeat(1_500_000) }],
  };
  assert.equal(await bring('/gateways/messagemedia/inbound', large), 200);
  assert.equal((await conversations(phone))[0]?.messages.length, 3);
  const [, second] = await kept();
  assert.deepEqual(
    [second?.['state'], second?.['reason'], second?.['size']],
    ['refused', 'otherContent', 1_125_000],
  );
});

test('a signed callback that can’t be parsed is refused', async () => {
  const { path } = await sent();
  for (const where of [path, '/gateways/messagemedia/reports', '/gateways/messagemedia/inbound']) {
    assert.equal(await bring(where, { hello: 'world' }), 400);
  }
});

test('an unknown outcome is reconciled when the partner repeats the request, and not sent twice', async () => {
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
