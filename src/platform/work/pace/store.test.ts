/** The rate of a gateway over all processes of an installation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabase } from '#platform/db/database.ts';
import { createLimiter } from '#platform/gateways/limiter/limiter.ts';
import { throttled } from '#platform/gateways/limiter/throttled-sms.ts';
import { sendSms } from '#platform/gateways/sms/send.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { recordedSms } from '../../../../test/harness/gateways.ts';
import { paceOf } from './store.ts';

const { db, url } = await createTestDatabase();
/** The database's time, in milliseconds. */
const now = async (): Promise<number> => {
  const [row] = await db.query<{ at: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS at',
  );
  return row?.at ?? assert.fail();
};
const nextAt = async (gateway: string): Promise<number> => {
  const [row] = await db.query<{ at: number }>(
    'SELECT extract(epoch FROM next_at)::float8 * 1000 AS at FROM gateway_pace WHERE gateway = $1',
    [gateway],
  );
  return row?.at ?? assert.fail();
};

test('slots follow each other by the interval; none that is too far away is reserved', async () => {
  const secondsApart = 100;
  const pace = paceOf(db, 'far', 1 / secondsApart);
  const withinMs = 1_000_000;
  const before = await now();
  assert.deepEqual(await pace.reserve(1, withinMs), { granted: true, startsInMs: 0 });
  const second = await pace.reserve(4, withinMs);
  assert.ok(second.granted && second.startsInMs > 0 && second.startsInMs <= 100_000, JSON.stringify(second));
  const next = await nextAt('far');
  assert.ok(next >= before + 500_000 - 1 && next <= (await now()) + 500_000 + 1);
  const third = await pace.reserve(4, withinMs);
  assert.ok(
    third.granted && third.startsInMs > 100_000 && third.startsInMs <= 500_000,
    JSON.stringify(third),
  );
  const refused = await pace.reserve(1, 3_000);
  assert.ok(!refused.granted && refused.startsInMs > 500_000, JSON.stringify(refused));
  assert.ok(Math.abs((await nextAt('far')) - (next + 400_000)) < 1, 'a refusal reserves nothing');
});

test('unused slots are lost: there is no burst after a rest', async () => {
  const pace = paceOf(db, 'rested', 0.01);
  await pace.reserve(1, 3_000);
  await db.query("UPDATE gateway_pace SET next_at = next_at - interval '1 hour' WHERE gateway = 'rested'");
  assert.deepEqual(await pace.reserve(1, 3_000), { granted: true, startsInMs: 0 });
  assert.equal((await pace.reserve(1, 3_000)).granted, false);
});

test('concurrent reservations get each slot once', async () => {
  const pace = paceOf(db, 'raced', 100);
  const before = await now();
  const counts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const given = await Promise.all(counts.map((count) => pace.reserve(count, 3_000)));
  assert.ok(given.every(({ granted }) => granted));
  assert.ok((await nextAt('raced')) >= before + 55 * 10 - 1);
});

test('two processes with one gateway: together they send no faster than its rate', async (t) => {
  const perSecond = 40;
  const count = 60;
  const sentAt: number[] = [];
  const processes = Array.from({ length: 2 }, (_, index) => {
    const own = openDatabase({ url, poolSize: 2, applicationName: `process ${index}` });
    t.after(() => own.close());
    const gateway = recordedSms();
    gateway.send = async ({ reference }) => {
      sentAt.push(Date.now());
      return { state: 'accepted', gatewayId: reference };
    };
    return throttled(gateway, createLimiter({ name: 'shared', pace: paceOf(own, 'shared', perSecond) }));
  });
  const startedAt = await now();
  let left = count;
  const send = async (gateway: (typeof processes)[number]): Promise<void> => {
    while (left > 0) {
      left--;
      const sms = {
        reference: `${left}`,
        messageId: 'm',
        to: '+61491570006',
        from: null,
        body: 'x',
        route: null,
      };
      // On a busy machine a message may miss its slot; then it waits for another.
      while ((await sendSms(gateway, sms)).state !== 'accepted');
    }
  };
  await Promise.all(processes.flatMap((gateway) => [send(gateway), send(gateway), send(gateway)]));
  assert.equal(sentAt.length, count);
  // Under any load, the n-th message never goes before the n-th slot.
  for (const [index, at] of sentAt.sort((a, b) => a - b).entries()) {
    const soonest = startedAt + (index * 1_000) / perSecond;
    assert.ok(at >= soonest - 2, `message ${index} was ${Math.round(soonest - at)} ms too soon`);
  }
});
