/** An SMPP carrier whose response is lost: the receipt contains our reference number, and no second SMS is sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendSms } from '#platform/gateways/sms/send.ts';
import { smppSms } from '#platform/gateways/sms/smpp.ts';
import { startSmsc } from '../../../packages/smpp/test/smsc.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { until } from '../../../test/harness/wait.ts';
import { smsListener } from './listener.ts';

const { app, send } = await messagingWorld();
const { context, sms } = app;

test('always: a lost response is settled by a receipt with the user_message_reference', async (t) => {
  const smsc = await startSmsc({
    version: 0x34,
    answer: ({ session }) => {
      session.destroy();
      return 'none';
    },
  });
  const gateway = await smppSms({
    endpoint: { host: '127.0.0.1', port: smsc.port, tls: false },
    credentials: { systemId: 'pitlane', password: 'secret', systemType: '' },
    ...{ source: null, window: 10, enquireLinkMs: 30_000, receiptIds: 'same' },
    pauses: { firstMs: 20, mostMs: 100, refusedMs: 100 },
  });
  t.after(() => gateway.close?.());
  const listener = smsListener(context);
  gateway.start?.({ ...listener, report: (_, report) => listener.report(sms.name, report) });
  const phone = newPhone();
  sms.always(phone, (sent) => sendSms(gateway, sent));
  sms.lookUp = async () => ({ state: 'unknown', permanent: true });

  const { messageId } = (await send({ phone, referenceId: 'R' })).sms;
  const stateOf = async () => {
    const [row] = await context.db.query<{ state: string }>('SELECT state FROM message WHERE id = $1', [
      messageId,
    ]);
    return row?.state;
  };
  assert.equal(await stateOf(), 'unknown');
  await until('it is bound again', () => smsc.binds.length === 2);
  const receipt = {
    ...{ source_addr: phone.slice(1), destination_addr: '61400000000', esm_class: 4 },
    short_message: 'id:7f sub:001 dlvrd:001 stat:DELIVRD err:000 text:',
    user_message_reference: smsc.submitted[0]?.pdu['user_message_reference'],
  };
  assert.equal(await smsc.deliver(receipt), 0);
  assert.equal(await stateOf(), 'delivered');
  await send({ phone, referenceId: 'R' });
  assert.equal(smsc.submitted.length, 1);
});
