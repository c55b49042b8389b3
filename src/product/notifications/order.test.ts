/** Notices of one booking to one recipient are sent in the order of its versions (specification: Notices 7). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { startWorker } from '#worker.ts';
import { bookingWorld } from '../../../test/fixtures/booking-api.ts';
import { refusedForNow } from '../../../test/fixtures/messaging.ts';
import { makeAllDue } from '../../../test/harness/sending.ts';
import { until } from '../../../test/harness/wait.ts';

const { app, book, change } = await bookingWorld();
const { context, sms } = app;
const { db } = context;
const never = { heartbeatMs: 3_600_000, silentMs: 3_600_000, searchMs: 3_600_000 };
const dayOf = (body: string) => /\b(2 Apr|3 Apr|4 Apr)\b/.exec(body)?.[0];

test('80 bookings that are moved twice quickly, with three workers: no customer gets the older date last', async (t) => {
  const workers = await Promise.all([1, 2, 3].map(() => startWorker(context, never)));
  t.after(() => Promise.all(workers.map((worker) => worker.stop())));
  const phones = Array.from({ length: 80 }, (_, n) => `+614915702${10 + n}`.slice(0, 12));
  for (const phone of phones) {
    const slowly = async (): Promise<SmsOutcome> => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
      return { state: 'accepted', gatewayId: 'g' };
    };
    sms.always(phone, slowly);
  }
  await Promise.all(
    phones.map(async (customerPhone) => {
      const { id } = await book({ customerPhone, skipNotification: true });
      await change(id, { date: '2030-04-01T23:00:00Z' });
      workers[0]?.nudgeRelay();
      await change(id, { date: '2030-04-02T23:00:00Z' });
      workers[1]?.nudgeRelay();
    }),
  );
  const left = async () =>
    (await db.query('SELECT FROM queued_message UNION ALL SELECT FROM event WHERE relayed_at IS NULL'))
      .length;
  await until('no message is left', async () => (await left()) === 0);
  const heard = phones.map((phone) =>
    sms
      .to(phone)
      .map(({ body }) => dayOf(body))
      .join(),
  );
  assert.deepEqual(
    heard.filter((days) => days !== '2 Apr,3 Apr' && days !== '3 Apr'),
    [],
  );
  // When only the newer notice was sent, the older one is superseded, not failed.
  const superseded = await db.query(`SELECT FROM message WHERE channel = 'sms' AND state = 'superseded'`);
  assert.equal(superseded.length, heard.filter((days) => days === '3 Apr').length);
});

test('a notice that is retried delays the next for a minute at most, and is superseded once that one was sent', async () => {
  const customerPhone = '+61491570399';
  const isFirst = ({ body }: { readonly body: string }) => dayOf(body) === '2 Apr';
  sms.always(customerPhone, (sent) =>
    isFirst(sent) ? refusedForNow : { state: 'accepted', gatewayId: 'g' },
  );
  const { id } = await book({ customerPhone, skipNotification: true });
  await change(id, { date: '2030-04-01T23:00:00Z' });
  await app.drain();
  await change(id, { date: '2030-04-02T23:00:00Z' });
  await app.drain();
  const days = () => sms.to(customerPhone).map(({ body }) => dayOf(body));
  assert.deepEqual(days(), ['2 Apr'], 'the second waits for the first');
  await db.query(
    `UPDATE queued_message SET first_tried_at = first_tried_at - interval '60 seconds', due_at = due_at + interval '1 hour'
      WHERE series_id = $1 AND tries > 0`,
    [id],
  );
  await db.query(
    `WITH due AS (UPDATE queued_message SET due_at = clock_timestamp() WHERE series_id = $1 AND tries = 0 RETURNING *)
     INSERT INTO send_wake (workshop_id, channel, class, due_at) SELECT DISTINCT workshop_id, channel, class, due_at FROM due`,
    [id],
  );
  await app.drain();
  assert.deepEqual(days(), ['2 Apr', '3 Apr']);
  await makeAllDue(db);
  await app.drain();
  const states = await db.query<{ state: string; version: number }>(
    `SELECT state, series_number AS version FROM message WHERE series_id = $1 AND channel = 'sms' ORDER BY series_number`,
    [id],
  );
  assert.deepEqual(
    states.map(({ state }) => state),
    ['superseded', 'accepted'],
  );
  assert.deepEqual(days(), ['2 Apr', '3 Apr']);
  assert.deepEqual(await db.query('SELECT FROM queued_message'), []);
});

test('a notice that is queued after a newer one was sent is superseded at once', async () => {
  const customerPhone = '+61491570398';
  const { id } = await book({ customerPhone, skipNotification: true });
  await change(id, { date: '2030-04-01T23:00:00Z' });
  await db.query(`UPDATE event SET relayed_at = clock_timestamp() WHERE subject_id = $1`, [id]);
  await change(id, { date: '2030-04-02T23:00:00Z' });
  await app.drain();
  // As when an operator retries the dead letter of the earlier event.
  await db.query(`UPDATE event SET relayed_at = NULL WHERE subject_id = $1 AND version = 2`, [id]);
  await app.drain({ retries: true });
  assert.deepEqual(
    sms.to(customerPhone).map(({ body }) => dayOf(body)),
    ['3 Apr'],
  );
});
