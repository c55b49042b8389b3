/** Queueing messages: one row for each cause, kind, channel and recipient; the opt-out; the conversation. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { messagingWorld } from '../../../test/fixtures/messaging.ts';
import { enqueue, type NewMessage } from './enqueue.ts';

const { app, workshopId, customer } = await messagingWorld();
const { db, clock } = app.context;
const options = () => ({ now: clock.now(), actor: actors.schedule, exemptCountries: [] as string[] });

async function notice(more: Partial<NewMessage> = {}): Promise<NewMessage> {
  const { id, phone } = await customer();
  return {
    kind: 'bookingNotice',
    workshopId,
    channel: 'sms',
    audience: 'customer',
    customerId: id,
    causeId: newId(),
    recipient: phone,
    body: 'Your booking has moved.',
    ...more,
  };
}
const queuedOf = (id: string) =>
  db.query<{ class: number; channel: string; attempt: string | null }>(
    'SELECT class, channel, attempt_id AS attempt FROM queued_message WHERE message_id = $1',
    [id],
  );

test('a message, its queue entry, its wake and a missing conversation are stored in one commit', async () => {
  const made = await notice();
  await db.query('DELETE FROM send_wake');
  const [queued] = await enqueue(db, [made], options());
  const id = queued?.messageId ?? '';
  assert.equal(queued?.state, 'queued');
  const rows = await db.query(
    `SELECT m.kind, m.state, m.encoding, m.segments, m.partner_id AS partner, v.customer_id AS customer
       FROM message m JOIN conversation v ON v.id = m.conversation_id WHERE m.id = $1`,
    [id],
  );
  const { customerId: customer } = made;
  assert.deepEqual(rows, [
    { kind: 'bookingNotice', state: 'sending', encoding: 'gsm7', segments: 1, partner: null, customer },
  ]);
  assert.deepEqual(await queuedOf(id), [{ class: 1, channel: 'sms', attempt: null }]);
  const wakes = await db.query('SELECT workshop_id, channel, class FROM send_wake');
  assert.deepEqual(wakes, [{ workshopId, channel: 'sms', class: 1 }]);
});

test('queueing the same cause, kind, channel and recipient again creates nothing; results keep the order of the input', async () => {
  const first = await notice();
  const mail: NewMessage = { ...first, channel: 'email', recipient: 'ava@example.com', subject: 'Moved' };
  await enqueue(db, [first], options());
  const again = await enqueue(db, [first, mail, first], options());
  assert.deepEqual(
    again.map(({ state }) => state),
    ['known', 'queued', 'known'],
  );
  const rows = await db.query('SELECT channel FROM message WHERE cause_id = $1 ORDER BY channel', [
    first.causeId,
  ]);
  assert.deepEqual(rows, [{ channel: 'email' }, { channel: 'sms' }]);
});

test('an opt-out stops the SMS but not the e-mail; in an exempt country the notice is sent, and is marked', async () => {
  const sms = await notice();
  await db.query('UPDATE customer SET opted_out_at = $2 WHERE id = $1', [sms.customerId, clock.now()]);
  const mail: NewMessage = { ...sms, channel: 'email', recipient: 'ava@example.com', subject: 'Moved' };
  const states = (await enqueue(db, [sms, mail], options())).map(({ state }) => state);
  assert.deepEqual(states, ['optedOut', 'queued']);
  const exempt = { ...options(), exemptCountries: ['AU'] };
  const [goes] = await enqueue(db, [{ ...sms, causeId: newId() }], exempt);
  const [row] = await db.query<{ despite: boolean }>(
    'SELECT despite_opt_out AS despite FROM message WHERE id = $1',
    [goes?.messageId],
  );
  assert.deepEqual([goes?.state, row?.despite], ['queued', true]);
});
