/** Unmatched inbound SMS are not lost. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { retryDeadLetter } from '#dead-letters.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { inboundWorld } from '../../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../../../test/fixtures/messaging.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import { receiveSms } from './receive.ts';
import { listUnmatched } from './store.ts';

const { app, partner, workshopId } = await messagingWorld();
const { answer, conversations } = inboundWorld(app);
const { db, clock } = app.context;
const kept = () => listUnmatched(db, { before: null, limit: 10 });

test('from an unknown sender to an unknown number: stored once, with a dead letter that does not contain its text', async () => {
  const [phone, to, gatewayId] = [newPhone(), '+61488880001', newId()];
  await Promise.all(Array.from({ length: 5 }, () => answer(phone, 'A secret', { to, gatewayId })));
  const [sms, ...rest] = await kept();
  assert.deepEqual([sms?.from, sms?.to, sms?.body, rest], [phone, to, 'A secret', []]);
  const letters = await listDeadLetters(db);
  assert.deepEqual(
    letters.map(({ job, payload, reason }) => [job, payload, reason]),
    [['placeInbound', { unplacedId: sms?.id }, 'noWorkshop']],
  );
  assert.doesNotMatch(JSON.stringify(letters), new RegExp(`secret|${phone.slice(1)}`));
  assert.deepEqual(await conversations(phone), []);

  await assert.rejects(
    retryDeadLetter(app.context, actors.operator, letters[0]?.id ?? ''),
    /number that is no workshop/,
  );
  await app.drain();
  assert.equal((await listDeadLetters(db)).length, 1, 'it still matches no workshop');

  await setWorkshop({ db, clock }, workshopId, { smsSender: to }, actors.operator);
  await retryDeadLetter(app.context, actors.operator, (await listDeadLetters(db))[0]?.id ?? '');
  await app.drain();
  assert.equal((await conversations(phone))[0]?.messages[0]?.body, 'A secret');
  assert.deepEqual([await listDeadLetters(db), await kept()], [[], []]);
});

test('an SMS to a shared number from a sender that none of its workshops knows is stored too', async () => {
  const smsSender = '+61488880002';
  for (let i = 0; i < 2; i++) await linkedWorkshop(app, [partner], { smsSender });
  const phone = newPhone();
  await answer(phone, 'Hello', { to: smsSender });
  assert.deepEqual(await conversations(phone), []);
  assert.equal((await kept())[0]?.from, phone);
});

test('always: a word that the provider took for an opt-out opts out when the SMS is placed', async () => {
  const [from, to] = [newPhone(), '+61488880003'];
  await receiveSms(app.context, 'twilio', { gatewayId: newId(), from, to, body: 'ARRET', optOut: 'stop' });
  await linkedWorkshop(app, [partner], { smsSender: to });
  for (const { id } of await listDeadLetters(db))
    await retryDeadLetter(app.context, actors.operator, id).catch(() => undefined);
  const customers = await db.query<{ out: boolean }>(
    'SELECT opted_out_at IS NOT NULL AS out FROM customer WHERE phone = $1',
    [from],
  );
  assert.deepEqual(customers, [{ out: true }]);
});
