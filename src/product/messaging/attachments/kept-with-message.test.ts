/** Pictures follow their message: matched later, erased, deleted by retention. */

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { retryDeadLetter } from '#dead-letters.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { purgeOldMessages } from '#product/sending/retention/purge.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { inboundWorld } from '../../../../test/fixtures/inbound.ts';
import { pictureWorld } from '../../../../test/fixtures/picture-world.ts';
import { jpeg } from '../../../../test/fixtures/pictures.ts';

const world = await pictureWorld();
const { app, at, brings, fates, fetchAll, number, rows, workshopId } = world;
const { context } = app;
const { db, clock } = context;
const { conversations } = inboundWorld(app);
beforeEach(() => world.clear());

test('pictures of an unmatched SMS are attached to it when it is matched', async () => {
  const to = '+61400000099';
  const { phone } = await brings(
    [
      ['image/jpeg', at(jpeg)],
      ['video/mp4', at(jpeg)],
    ],
    { to },
  );
  assert.deepEqual(await rows(), []);
  await setWorkshop({ db, clock }, workshopId, { smsSender: to }, actors.operator);
  const [letter] = await listDeadLetters(db);
  await retryDeadLetter(context, actors.operator, letter?.id ?? '');
  await setWorkshop({ db, clock }, workshopId, { smsSender: number }, actors.operator);
  await fetchAll();
  assert.deepEqual(await fates(), [
    ['stored', null, jpeg.length],
    ['refused', 'typeNotAllowed', null],
  ]);
  assert.equal((await conversations(phone)).length, 1);
});

test('an erasure deletes them, and a picture that is being fetched is not stored', async () => {
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const slow = at(async (response) => {
    begun.resolve();
    await held.promise;
    response.end(jpeg);
  });
  const { phone } = await brings([
    ['image/jpeg', at(jpeg)],
    ['image/jpeg', slow],
  ]);
  const fetching = fetchAll();
  await begun.promise;
  const [found] = await conversations(phone);
  await eraseCustomer({ db, clock }, found?.customerId ?? '', actors.operator);
  assert.deepEqual(await rows(), []);
  held.resolve();
  await fetching;
  assert.deepEqual(await rows(), []);
});

test('they are kept as long as their message', async () => {
  const { phone } = await brings([['image/jpeg', at(jpeg)]]);
  const config = { ...context.config, messagesKeptDays: 90 };
  await purgeOldMessages({ ...context, config });
  assert.equal((await rows()).length, 1);
  const [found] = await conversations(phone);
  const old = '01900000-0000-7000-8000-000000000099';
  await db.query(
    `WITH moved AS (INSERT INTO message SELECT (jsonb_populate_record(m, jsonb_build_object('id', $2::text, 'gateway_message_id', 'old'))).*
       FROM message m WHERE m.id = $1 RETURNING id)
     SELECT id FROM moved`,
    [found?.messages[0]?.id, old],
  );
  await db.query('UPDATE message_attachment SET message_id = $1', [old]);
  await db.query('DELETE FROM retention');
  await purgeOldMessages({ ...context, config });
  assert.deepEqual(await rows(), []);
});
