/** Hand-overs that end early, end late, or wait for others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/harness/wait.ts';
import { connectTo, smsTo, untilBound } from './connect.ts';
import { startSmsc } from './smsc.ts';

const long = 'abcdefghi '.repeat(40);

/** A centre that responds to the parts with these numbers only when the test tells it to, with that status. */
async function slowCentre(
  slow: readonly number[],
  then: (id: string) => { id: string } | { status: number },
) {
  const open = Promise.withResolvers<void>();
  const smsc = await startSmsc({
    answer: async ({ part }, id) => {
      if (!slow.includes(part?.[2] ?? 1)) return { id };
      await open.promise;
      return then(id);
    },
  });
  return { smsc, answers: open.resolve };
}

test('a response after the time-out is reported as a late acceptance', async (t) => {
  const { smsc, answers } = await slowCentre([1], (id) => ({ id: `0${id}` }));
  const { gateway, accepted } = connectTo(t, smsc.port);
  const controller = new AbortController();
  const sending = gateway.send({ ...smsTo(), reference: 'R' }, controller.signal);
  await until('it is handed over', () => smsc.submitted.length === 1);
  controller.abort();
  assert.deepEqual(await sending, { state: 'unknown', detail: 'The carrier did not answer.' });
  assert.equal(accepted.size, 0);
  answers();
  await until('it is told', () => accepted.size === 1);
  assert.deepEqual(accepted.get('R'), { state: 'accepted', gatewayId: '01', segmentIds: ['1'] });
});

test('a long message is reported late only once all its parts are accepted', async (t) => {
  for (const [then, count] of [
    [(id: string) => ({ id }), 1],
    [() => ({ status: 0x45 }), 0],
  ] as const) {
    const { smsc, answers } = await slowCentre([2], then);
    const connected = connectTo(t, smsc.port);
    const controller = new AbortController();
    const sending = connected.gateway.send({ ...smsTo(), body: long }, controller.signal);
    await until('all are handed over', () => smsc.submitted.length === 3);
    // Its response comes before another one that is waited for.
    assert.equal(await smsc.receipt('9', 'DELIVRD'), 0);
    controller.abort();
    assert.equal((await sending).state, 'unknown');
    answers();
    await connected.gateway.close();
    assert.equal(connected.accepted.size, count);
  }
});

test('a late response to the first part does not replace parts that never went out', async (t) => {
  const { smsc, answers } = await slowCentre([1], (id) => ({ id }));
  const connected = connectTo(t, smsc.port);
  const controller = new AbortController();
  const sending = connected.gateway.send({ ...smsTo(), body: long }, controller.signal);
  await until('it is handed over', () => smsc.submitted.length === 1);
  controller.abort();
  assert.equal((await sending).state, 'unknown');
  answers();
  await connected.gateway.close();
  assert.deepEqual([smsc.submitted.length, connected.accepted.size], [1, 0]);
});

test('the rest of a message that has begun goes before other messages', async (t) => {
  const smsc = await startSmsc();
  const connected = connectTo(t, smsc.port, { window: 1 });
  await untilBound(connected);
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => connected.send({ body: long })));
  assert.ok(outcomes.every(({ state }) => state === 'accepted'));
  const open = new Map<string, number>();
  let mostOpen = 0;
  for (const { to } of smsc.submitted) {
    open.set(to, (open.get(to) ?? 3) - 1);
    mostOpen = Math.max(mostOpen, [...open.values()].filter((left) => left > 0).length);
  }
  assert.equal(smsc.submitted.length, 18);
  assert.ok(mostOpen <= 2, `${mostOpen} at once`);
});

test('close lets a message end that waits to retry a part', async (t) => {
  const refused = Promise.withResolvers<void>();
  let tries = 0;
  const smsc = await startSmsc({
    answer: ({ part }, id) => {
      if (part?.[2] !== 2 || ++tries > 1) return { id };
      refused.resolve();
      return { status: 0x58 };
    },
  });
  const connected = connectTo(t, smsc.port);
  const sending = connected.send({ body: long });
  await refused.promise;
  await until('the others are answered', () => smsc.submitted.length === 3);
  await connected.gateway.close();
  assert.equal((await sending).state, 'accepted');
});
