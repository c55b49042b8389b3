/** The database is unavailable for a moment after the gateway accepted: the outcome is recorded later, and nothing is sent twice. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import type { Database } from '#platform/db/database.ts';
import { DatabaseUnavailable } from '#platform/db/errors.ts';
import { relayBatch } from '#platform/events/batch.ts';
import { reply } from '#product/messaging/inbox/reply.ts';
import { sendDue } from '#product/sending/sender.ts';
import { reactions } from '#reactions.ts';
import { composers } from '#work.ts';
import { messagingWorld, newPhone, text } from '../../../../test/fixtures/messaging.ts';
import { secondApp } from '../../../../test/fixtures/second-app.ts';

const { app, partner, workshopId, send, read, book } = await messagingWorld();
const { context, sms } = app;
const { db } = context;

/** A database that fails this many times after an SMS was handed over. */
function awayAfterHandOver(times: number): Database {
  let left = times;
  const sentBefore = sms.sent.length;
  return {
    ...db,
    query(statement, values) {
      if (sms.sent.length > sentBefore && left-- > 0) throw new DatabaseUnavailable('away');
      return db.query(statement, values);
    },
  };
}

test("a partner's message", async () => {
  const phone = newPhone();
  const other = await secondApp(app, { context: { db: awayAfterHandOver(3) } });
  const { body } = await other.request('POST', `/workshops/${workshopId}/messages`, {
    headers: { authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId },
    body: { phone, referenceId: 'R', ...text('Ready.') },
  });
  assert.equal(body.success, true);
  assert.equal((await read(body.sms.messageId)).state, 'accepted');
  assert.deepEqual([await send({ phone, referenceId: 'R' }), sms.to(phone).length], [body, 1]);
});

test('always: a reply', async () => {
  const phone = newPhone();
  const { conversationId } = (await send({ phone })).sms;
  const { messageId } = await reply(context, conversationId, 'At 5.', actors.operator);
  await sendDue({ ...context, db: awayAfterHandOver(3) }, composers);
  await app.drain({ retries: true });
  assert.equal(sms.to(phone).length, 2);
  assert.deepEqual(await db.query('SELECT state, attempts FROM message WHERE id = $1', [messageId]), [
    { state: 'accepted', attempts: 1 },
  ]);
});

test('always: a notice', async () => {
  const phone = newPhone();
  await book(phone);
  await relayBatch(context, reactions);
  await sendDue({ ...context, db: awayAfterHandOver(3) }, composers);
  await app.drain({ retries: true });
  assert.equal(sms.to(phone).length, 1);
  const notices = await db.query(
    `SELECT state, attempts FROM message WHERE recipient = $1 AND kind = 'bookingNotice' AND channel = 'sms'`,
    [phone],
  );
  assert.deepEqual(notices, [{ state: 'accepted', attempts: 1 }]);
});
