/** Two concurrent changes: one of two opposite transitions wins; a transition and an update lose no data of each other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookingWorld, eventsOf } from '../../../test/fixtures/booking-api.ts';

const { app, partner, book, put, read } = await bookingWorld();
const rounds = Array.from({ length: 15 });

test('always: concurrent completion and cancellation: one is 200, the other 409 060002, and one event is written', async () => {
  for (const _ of rounds) {
    const { id } = await book({ skipNotification: true });
    const answers = await Promise.all(
      ['completed', 'cancelled', 'completed', 'cancelled'].map((status) =>
        partner.call('POST', `/bookings/${id}/${status}`, { reason: status }),
      ),
    );
    const { status } = await read(id);
    assert.deepEqual(
      answers.map((answer) => answer.status),
      status === 'completed' ? [200, 409, 200, 409] : [409, 200, 409, 200],
    );
    const kinds = (await eventsOf(app, id)).map(({ kind, version }) => `${version} ${kind}`);
    assert.deepEqual(kinds, ['1 booking.created', `2 booking.${status}`]);
  }
});

test('always: concurrent cancellation and move: either the move comes first, or it is refused; no field is lost', async () => {
  const date = '2030-05-05T00:00:00.000Z';
  for (const _ of rounds) {
    const { id, date: before } = await book({ skipNotification: true });
    const [cancelled, moved, noted] = await Promise.all([
      partner.call('POST', `/bookings/${id}/cancelled`, { reason: 'Ill' }),
      put(id, { date }),
      put(id, { notes: 'Key is under the mat' }),
    ]);
    assert.deepEqual([cancelled.status, noted.status], [200, 200]);
    const after = await read(id);
    assert.deepEqual(
      [after.status, after.cancelReason, after.notes],
      ['cancelled', 'Ill', 'Key is under the mat'],
    );
    assert.ok(moved.status === 200 || moved.body.errorCode === '060004', String(moved.status));
    assert.equal(after.date, moved.status === 200 ? date : before);
    const events = await eventsOf(app, id);
    assert.deepEqual(
      events.map(({ version }) => version),
      events.map((_, index) => index + 1),
    );
    assert.equal(
      events.find(({ kind }) => kind === 'booking.cancelled')?.payload.booking.cancelReason,
      'Ill',
    );
  }
});
