/** Messages through a route of several gateways: which gateway each attempt is handed to, and which one reconciles it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { routed } from '#platform/gateways/sms/router.ts';
import { age, messagingWorld, newPhone, text } from '../../../../test/fixtures/messaging.ts';
import { recordedSms } from '../../../../test/harness/gateways.ts';
import { expectErrors } from '../../../../test/harness/log.ts';
import { bookingBody, linkedWorkshop } from '../../../../test/harness/world.ts';

const second = recordedSms();
const { app, send, read, partner, workshopId } = await messagingWorld({
  gateways: ({ sms }) => ({
    sms: routed([
      { ...sms, name: 'first' },
      { ...second, name: 'second' },
    ]),
  }),
});
const { db } = app.context;
const away: SmsOutcome = {
  state: 'refused',
  permanent: false,
  reason: 'gatewayUnavailable',
  detail: 'Away.',
  elsewhere: true,
};

const unknownAt = (gateway: string | undefined): SmsOutcome => ({
  state: 'unknown',
  detail: `${gateway} had it`,
});

const gatewaysOf = async (messageId: string) =>
  (
    await db.query<{ gateway: string }>(
      'SELECT gateway FROM message_attempt WHERE message_id = $1 ORDER BY number',
      [messageId],
    )
  ).map(({ gateway }) => gateway);

test('a message that the first gateway did not accept goes through the second, as one attempt', async () => {
  const phone = newPhone();
  app.sms.next(away);
  const { success, sms } = await send({ phone });
  assert.equal(success, true);
  assert.deepEqual(await gatewaysOf(sms.messageId), ['second']);
  const [one, two] = [app.sms.to(phone), second.to(phone)];
  assert.deepEqual([one.length, two.length, one[0]?.reference], [1, 1, two[0]?.reference]);
});

test('an attempt with an unknown outcome is looked up at its gateway before anything is sent again', async () => {
  const phone = newPhone();
  app.sms.next(away);
  second.next({ state: 'unknown', detail: 'No answer.' });
  const first = await send({ phone, referenceId: 'R' });
  assert.equal(first.sms.reason, 'unknownOutcome');
  assert.deepEqual(await gatewaysOf(first.sms.messageId), ['second']);
  const reference = second.to(phone)[0]?.reference ?? '';
  // The first gateway does not have the message; its look-up would say so.
  second.setLookUp(reference, { state: 'accepted', gatewayId: 'found' });
  assert.equal((await send({ phone, referenceId: 'R' })).success, true);
  assert.deepEqual([app.sms.to(phone).length, second.to(phone).length], [1, 1]);
  assert.equal((await read(first.sms.messageId)).state, 'accepted');
});

test('the second gateway is not tried after an unknown outcome', async () => {
  const phone = newPhone();
  app.sms.next({ state: 'unknown', detail: 'No answer.' });
  const { sms } = await send({ phone });
  assert.deepEqual([sms.reason, second.to(phone).length], ['unknownOutcome', 0]);
  assert.deepEqual(await gatewaysOf(sms.messageId), ['first']);
});

test('always: an abandoned attempt of a workshop with its own route is reconciled through that route, not the installation’s', async () => {
  const place = await linkedWorkshop(app, [partner]);
  await db.query(`UPDATE workshop SET sms_gateways = '{second}' WHERE id = $1`, [place]);
  const phone = newPhone();
  const post = () =>
    partner.call('POST', `/workshops/${place}/messages`, { phone, referenceId: 'R', ...text('Ready.') });
  const [begun, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<SmsOutcome>()];
  second.next(() => {
    begun.resolve();
    return answered.promise;
  });
  const first = post();
  await begun.promise;
  const { messageId = '', reference = '' } = second.to(phone)[0] ?? {};
  // The state that a process leaves when it dies during the hand-over.
  assert.deepEqual(await gatewaysOf(messageId), ['second']);
  await age(app, messageId);
  app.sms.setLookUp(reference, { state: 'unknown', permanent: true });
  second.setLookUp(reference, { state: 'accepted', gatewayId: 'found' });
  assert.equal((await post()).body.success, true);
  assert.equal(second.to(phone).length, 1);
  answered.resolve({ state: 'accepted', gatewayId: 'found' });
  await first;

  // The same for a further attempt, and for a notice.
  second.next(away, () => gatewaysOf(second.sent.at(-1)?.messageId ?? '').then(([, at]) => unknownAt(at)));
  const again = { phone, referenceId: 'S', ...text('Ready.') };
  await partner.call('POST', `/workshops/${place}/messages`, again);
  const { body } = await partner.call('POST', `/workshops/${place}/messages`, again);
  assert.match(body.sms.message, /\(second had it\)/);
  const customerPhone = newPhone();
  second.always(customerPhone, async () => {
    const [row] = await db.query<{ gateway: string }>(
      `SELECT a.gateway FROM message m JOIN message_attempt a ON a.message_id = m.id WHERE m.channel = 'sms' AND m.recipient = $1`,
      [customerPhone],
    );
    return unknownAt(row?.gateway);
  });
  await partner.call('POST', '/bookings', bookingBody(place, { customerPhone }));
  await app.drain();
  const [notice] = await db.query(`SELECT detail FROM message WHERE channel = 'sms' AND recipient = $1`, [
    customerPhone,
  ]);
  assert.deepEqual(notice, { detail: 'second had it' });
});

test('a notice with an unknown outcome is looked up at the gateway that it was handed to', async () => {
  expectErrors(/no delivery report has come yet/);
  const phone = newPhone();
  app.sms.always(phone, away);
  second.always(phone, { state: 'unknown', detail: 'No answer.' });
  await partner.call('POST', '/bookings', bookingBody(workshopId, { customerPhone: phone }));
  await app.drain();
  const row = async () =>
    (
      await db.query(
        `SELECT m.state, a.gateway FROM message m JOIN message_attempt a ON a.id = m.attempt_id WHERE m.channel = 'sms' AND m.recipient = $1`,
        [phone],
      )
    )[0];
  assert.deepEqual(await row(), { state: 'unknown', gateway: 'second' });
  second.setLookUp(second.to(phone)[0]?.reference ?? '', { state: 'accepted', gatewayId: 'found' });
  await app.drain({ retries: true });
  assert.deepEqual(await row(), { state: 'accepted', gateway: 'second' });
  assert.deepEqual([app.sms.to(phone).length, second.to(phone).length], [1, 1]);
});
