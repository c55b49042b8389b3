/** A picture that a customer sends through ClickSend: from the link in the callback to the inbox. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { download } from '#platform/gateways/download.ts';
import { createHttpPool } from '#platform/gateways/http-pool.ts';
import { networkOf } from '#platform/gateways/outbound/public-network.ts';
import { clickSendSms } from '#platform/gateways/sms/clicksend/clicksend.ts';
import { routed } from '#platform/gateways/sms/router.ts';
import { fetchAttachments } from '#product/messaging/attachments/fetch.ts';
import { certificate, privateKey } from '../../../test/fixtures/certificate.ts';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { jpeg } from '../../../test/fixtures/pictures.ts';
import { startSmsProvider } from '../../../test/fixtures/sms-provider.ts';
import { atEnd } from '../../../test/harness/clean-up.ts';

const callbackToken = 'a-token-of-16-or-more';
const bucket = 'https://clicksend-api-downloads.s3.ap-southeast-2.amazonaws.com';

/** Stands for ClickSend's bucket. */
const asked: (string | undefined)[] = [];
const storage = createServer({ key: privateKey, cert: certificate }, (request, response) => {
  asked.push(request.headers.authorization);
  if (request.url === '/page') response.end('<html>');
  else response.end(jpeg);
});
await once(storage.listen(0, '127.0.0.1'), 'listening');
atEnd(async () => void storage.close());
const toLoopback = networkOf(() => true, { ca: certificate });
const { port } = storage.address() as AddressInfo;

const provider = await startSmsProvider([
  200,
  { data: { messages: [{ message_id: newId(), status: 'SUCCESS' }] } },
]);
const sms = routed([
  clickSendSms({
    url: provider.url,
    username: 'user',
    apiKey: 'key',
    callbackToken,
    http: createHttpPool(),
    fetching: (url, options) =>
      download(new URL(`https://localhost:${port}${url.pathname}`), options, toLoopback),
  }),
]);
const { app, send } = await messagingWorld({ gateways: () => ({ sms }) });
const { conversations } = inboundWorld(app);

test('the link in an MMS is fetched without credentials; pictures among the content are kept', async () => {
  const phone = newPhone();
  await send({ phone });
  const answer = {
    message_id: newId(),
    from: phone,
    to: '61477000001',
    body: `The bumper ${bucket}/a.jpg and ${bucket}/page`,
  };
  for (let i = 0; i < 2; i++) {
    const { status } = await app.request('POST', `/gateways/clicksend/inbound?token=${callbackToken}`, {
      body: answer,
    });
    assert.equal(status, 200);
  }
  while ((await fetchAttachments(app.context)) > 0);
  const rows = await app.context.db.query(
    'SELECT content_type, state, reason, content FROM message_attachment ORDER BY ordinal',
  );
  assert.deepEqual(
    rows.map((row) => Object.values(row)),
    [
      ['image/jpeg', 'stored', null, jpeg],
      ['unknown', 'refused', 'typeNotAllowed', null],
    ],
  );
  assert.deepEqual(asked, [undefined, undefined]);
  assert.equal((await conversations(phone))[0]?.messages.at(-1)?.body, `${answer.body}\n[2 attachments]`);
});
