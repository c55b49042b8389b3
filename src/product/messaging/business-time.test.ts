/** Partners see business time, and never both clocks in one response (specification: Clocks 3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordReport } from '#product/gateway-callbacks/record-report.ts';
import { sweepSending } from '#product/sending/sweep.ts';
import {
  age,
  holdNext,
  messagingWorld,
  newPhone,
  refusedForNow,
  text,
} from '../../../test/fixtures/messaging.ts';

const { app, partner, workshopId, send, book, template, read } = await messagingWorld();
const { db, clock } = app.context;
/** The clock moves by less than the 48 hours for which a token is valid. */
const hour = 3_600;

/** Every instant in a response, with its path. */
function instantsIn(value: unknown, path = ''): { path: string; at: number }[] {
  if (typeof value === 'string') {
    return /^\d{4}-\d\d-\d\dT.*Z$/.test(value) ? [{ path, at: Date.parse(value) }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => instantsIn(inner, `${path}.${key}`));
}

function assertInOrder(...times: readonly string[]): void {
  assert.deepEqual(
    times.map(Date.parse),
    times.map(Date.parse).sort((a, b) => a - b),
  );
}

test('attempts start and finish in the order of their message’s other events, whichever way the business clock was moved', async () => {
  const phone = newPhone();
  app.advance(20 * hour);
  app.sms.next(refusedForNow);
  const { sms } = await send({ phone, referenceId: 'R' });
  app.advance(hour);
  app.sms.next({ state: 'unknown', detail: 'No answer.' });
  await send({ phone, referenceId: 'R' });
  app.sms.setLookUp(app.sms.to(phone)[1]?.reference ?? '', { state: 'unknown', permanent: true });
  app.advance(hour);
  await send({ phone, referenceId: 'R' });
  app.advance(hour);
  const reference = app.sms.to(phone)[2]?.reference ?? '';
  await recordReport({ db, clock }, 'recorded', { reference, state: 'delivered', detail: null });
  app.advance(hour);

  const { createdAt, updatedAt, attempts } = await read(sms.messageId);
  const [one, two, three] = attempts;
  assertInOrder(
    ...[createdAt, one.startedAt, one.finishedAt, two.startedAt, two.finishedAt, three.startedAt],
    ...[three.finishedAt, updatedAt],
  );
  const hours = [one, two, three].map(
    ({ startedAt }) => (Date.parse(startedAt) - Date.parse(createdAt)) / 1000 / hour,
  );
  assert.deepEqual(hours.map(Math.round), [0, 1, 2]);
  assert.ok(Date.parse(createdAt) > Date.now() + 19 * hour * 1000);
});

test('an abandoned attempt finishes in business time, and is still found by the machine clock', async () => {
  const phone = newPhone();
  app.advance(hour);
  const held = holdNext(app);
  const first = send({ phone, referenceId: 'R', ...text('Hi') });
  await held.begun;
  const messageId = app.sms.to(phone)[0]?.messageId ?? '';
  app.advance(hour);
  await sweepSending(app.context);
  // Business time moves by an hour, machine time does not.
  assert.equal((await read(messageId)).state, 'sending');
  await age(app, messageId);
  await sweepSending(app.context);
  const { createdAt, updatedAt, attempts } = await read(messageId);
  assertInOrder(createdAt, attempts[0].startedAt, attempts[0].finishedAt, updatedAt);
  assert.equal(attempts[0].finishedAt, updatedAt);
  held.answer({ state: 'accepted', gatewayId: 'late' });
  await first;
});

test('no response after the business clock was moved holds an instant of the machine clock', async () => {
  app.advance(10 * hour);
  const phone = newPhone();
  const bookingId = await book(phone, { bookingTime: '2190-01-01T00:00:00Z' });
  await template('Hi');
  app.sms.next(refusedForNow);
  const { sms } = await send({ phone, referenceId: 'R' });
  await send({ phone, referenceId: 'R' });
  await app.drain();
  const paths = [
    ...[`/bookings/${bookingId}`, `/workshops/${workshopId}/messages/${sms.messageId}`, '/workshops'],
    ...[
      `/workshops/${workshopId}/templates`,
      `/sandbox/messages?to=${phone.replace('+', '%2B')}`,
      '/sandbox/clock',
    ],
  ];
  let seen = 0;
  for (const path of paths) {
    const { status, body } = await partner.call('GET', path);
    assert.equal(status, 200, path);
    for (const { path: place, at } of instantsIn(body)) {
      seen++;
      assert.ok(at > Date.now() + 29 * hour * 1000, `${path}: ${place} is ${new Date(at).toISOString()}`);
    }
  }
  assert.ok(seen >= 10, `only ${seen} instants`);
});
