/** The Idempotency-Key that @pitlane/client sends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booking, clientOf, ok } from './scripted.ts';

test('a new one for each call of an operation that takes one, none for others', async () => {
  const { pitlane, asked } = clientOf(() => ok);
  await pitlane.createBooking(booking);
  await pitlane.createBooking(booking);
  await pitlane.sendMessage({ path: { id: 'w' }, body: { channels: { sms: { message: 'Hi' } } } });
  const keys = asked.map(({ headers }) => headers['Idempotency-Key']);
  assert.match(keys[0] ?? '', /^[0-9a-f-]{36}$/);
  assert.notEqual(keys[0], keys[1]);
  assert.equal(keys[2], undefined);
});

test("the caller's own goes before", async () => {
  const { pitlane, asked } = clientOf(() => ok);
  await pitlane.createBooking({ ...(booking as object), headers: { 'Idempotency-Key': 'mine' } } as never);
  assert.equal(asked[0]?.headers['Idempotency-Key'], 'mine');
});
