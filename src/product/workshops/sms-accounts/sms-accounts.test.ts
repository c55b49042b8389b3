/** A workshop's own account at a provider: set by the operator, and sent in the form that each provider documents. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSmsConfig } from '#base/config/sms-gateways.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { createSmsGateways } from '#platform/gateways/sms/create.ts';
import { messagingWorld, newPhone } from '../../../../test/fixtures/messaging.ts';
import { type AskedOfProvider, startSmsProvider } from '../../../../test/fixtures/sms-provider.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import { setWorkshop } from '../set.ts';
import { setSmsAccount } from './set.ts';

const accountSid = `AC${'0a'.repeat(16)}`;
const service = `MG${'0c'.repeat(16)}`;
const answers = {
  twilio: { sid: `SM${'0d'.repeat(16)}` },
  messagemedia: { messages: [{ message_id: newId() }] },
  clicksend: { data: { messages: [{ status: 'SUCCESS', message_id: newId() }] } },
};
const gatewayOf = ({ url }: AskedOfProvider) =>
  url.startsWith('/2010') ? 'twilio' : url === '/v1/messages' ? 'messagemedia' : 'clicksend';
const provider = await startSmsProvider((asked, response) => {
  const gateway = gatewayOf(asked);
  response
    .writeHead(gateway === 'messagemedia' ? 202 : gateway === 'twilio' ? 201 : 200)
    .end(JSON.stringify(answers[gateway]));
});
const settings = readSmsConfig({
  PITLANE_SMS_GATEWAYS: 'twilio,messagemedia,clicksend',
  PITLANE_PUBLIC_URL: 'https://pitlane.example',
  TWILIO_URL: provider.url,
  TWILIO_ACCOUNT_SID: accountSid,
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_FROM: '+61400000000',
  MESSAGEMEDIA_URL: provider.url,
  MESSAGEMEDIA_API_KEY: 'key',
  MESSAGEMEDIA_API_SECRET: 'secret',
  MESSAGEMEDIA_CALLBACK_TOKEN: '0123456789abcdef',
  CLICKSEND_URL: provider.url,
  CLICKSEND_USERNAME: 'main',
  CLICKSEND_API_KEY: 'main-key',
  CLICKSEND_SUBACCOUNTS: 'harbour:harbour-key, carlton:carlton-key',
  CLICKSEND_CALLBACK_TOKEN: '0123456789abcdef',
});
const sms = await createSmsGateways(settings);
assert.ok(sms);
const { app, partner } = await messagingWorld({ gateways: () => ({ sms }), config: settings });
const { db, clock } = app.context;

/** The requests to the provider when a partner and the workshop itself send an SMS. */
async function asked(workshopId: string): Promise<AskedOfProvider[]> {
  provider.asked.length = 0;
  const phone = newPhone();
  const body = { phone, channels: { sms: { message: 'Hi' } } };
  const { body: sent } = await partner.call('POST', `/workshops/${workshopId}/messages`, body);
  assert.equal(sent.success, true, JSON.stringify(sent));
  await app.drain();
  return [...provider.asked];
}
const basic = (user: string, key: string) => `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;

test('its own account is sent, and only with its own messages', async () => {
  // All accounts are set before the first SMS, since they are cached for five seconds.
  const shops = await Promise.all(
    (['twilio', 'messagemedia', 'clicksend'] as const).map(async (gateway) => {
      const [own, other] = [await linkedWorkshop(app, [partner]), await linkedWorkshop(app, [partner])];
      for (const id of [own, other])
        await setWorkshop({ db, clock }, id, { smsGateways: [gateway] }, actors.operator);
      return { gateway, own, other };
    }),
  );
  const accounts = { twilio: service, messagemedia: 'HarbourMotors', clicksend: 'harbour' };
  for (const { gateway, own } of shops)
    await setSmsAccount({ db, clock }, own, gateway, accounts[gateway], actors.operator);

  for (const { gateway, own, other } of shops) {
    const [[of], [without]] = [await asked(own), await asked(other)];
    if (gateway === 'twilio') {
      const forms = [of, without].map((each) => new URLSearchParams(each?.body));
      assert.deepEqual(
        forms.map((form) => [form.get('MessagingServiceSid'), form.get('From')]),
        [
          [service, null],
          [null, '+61400000000'],
        ],
      );
      // "Create a Message": a sender beside the service.
      await setWorkshop({ db, clock }, own, { smsSender: '+61488870001' }, actors.operator);
      const beside = new URLSearchParams((await asked(own))[0]?.body);
      assert.deepEqual([beside.get('MessagingServiceSid'), beside.get('From')], [service, '+61488870001']);
    } else if (gateway === 'messagemedia') {
      // "Sending from sub-accounts".
      assert.deepEqual([of?.headers['account'], without?.headers['account']], ['HarbourMotors', undefined]);
    } else {
      assert.deepEqual(
        [of?.headers.authorization, without?.headers.authorization],
        [basic('harbour', 'harbour-key'), basic('main', 'main-key')],
      );
    }
  }
});

test('an error of one workshop’s account does not count against the gateway, and another gateway may take the message', async () => {
  const text = { reference: newId(), messageId: newId(), to: '+61491570006', from: null, body: 'Hi' };
  for (const [name, account, answer] of [
    ['twilio', service, [400, { code: 21705, message: 'No.', status: 400 }]],
    ['messagemedia', 'Nobody', [403, { message: 'Forbidden' }]],
    ['clicksend', 'nobody', [200, {}]],
    ['clicksend', 'harbour', [401, { response_code: 'UNAUTHORIZED' }]],
    ['clicksend', 'harbour', [400, { response_code: 'ACCOUNT_NOT_ACTIVATED' }]],
    ['clicksend', 'harbour', [200, { data: { messages: [{ status: 'INSUFFICIENT_CREDIT' }] } }]],
  ] as const) {
    const refusing = await startSmsProvider(answer);
    const gateway = await createSmsGateways({
      ...settings,
      smsGateways: settings.smsGateways.map((one) => ({ ...one, url: refusing.url }) as typeof one),
    });
    const own = { ...text, route: [name], accounts: { [name]: account } };
    const outcome = await gateway?.send(own, AbortSignal.timeout(10_000));
    assert.partialDeepStrictEqual(outcome, { state: 'refused', permanent: true, elsewhere: true });
  }
});

test('an invalid account is refused, and nothing is changed', async () => {
  const workshopId = await linkedWorkshop(app, [partner]);
  for (const [gateway, account, said] of [
    ['twilio', 'MG12', /the account must be a Messaging Service/],
    ['messagemedia', 'a\nb', /the account must be the name of a subaccount/],
    ['clicksend', 'a:b', /the account must be the user name/],
    ['kannel', 'x', /the gateway must be one of: twilio, messagemedia, clicksend/],
  ] as const) {
    await assert.rejects(setSmsAccount({ db, clock }, workshopId, gateway, account, actors.operator), said);
  }
  await assert.rejects(
    setSmsAccount({ db, clock }, newId(), 'twilio', service, actors.operator),
    /there is no workshop/,
  );
  const rows = await db.query('SELECT FROM sms_account WHERE workshop_id = $1', [workshopId]);
  assert.equal(rows.length, 0);
});
