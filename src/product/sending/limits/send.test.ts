/** An SMS that cannot be counted, or comes too late, is not handed over, and uses up no quota. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { type Config, readConfig } from '#base/config.ts';
import { createLog } from '#base/log.ts';
import { newId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { recordedSms } from '../../../../test/harness/gateways.ts';
import { sendWithinLimits } from './send.ts';

const { db } = await createTestDatabase();
const clock = systemClock();
const limited: Config = { ...readConfig({}), smsDailyPerWorkshop: 1 };
const account = () => ({ partnerId: null, workshopId: newId() });
const text = () => {
  const [reference, messageId] = [newId(), newId()];
  return { reference, messageId, to: '+61491570006', from: null, body: 'Hi', route: null };
};

/** A database that fails from its nth statement on. */
function world(config = limited, failsFrom = Number.POSITIVE_INFINITY) {
  const sms = recordedSms();
  const lines: string[] = [];
  let asked = 0;
  const query: Queryable['query'] = (statement, values) => {
    if (++asked >= failsFrom) throw new Error('the database is away');
    return db.query(statement, values);
  };
  const log = createLog('warn', { write: (line: string) => void lines.push(line) });
  const context = { db: { ...db, query }, sms, config, clock, log };
  return { context, sms, lines, asked: () => asked };
}

test('without a ceiling the database is not queried', async () => {
  const { context, asked } = world(readConfig({}));
  const outcome = await sendWithinLimits(context, text(), account(), clock.machineNow());
  assert.deepEqual([outcome.state, asked()], ['accepted', 0]);
});

test('an SMS that can’t be counted is not handed over, and may be retried', async () => {
  const { context, sms, lines } = world(limited, 1);
  const outcome = await sendWithinLimits(context, text(), account(), clock.machineNow());
  assert.partialDeepStrictEqual(outcome, {
    state: 'refused',
    permanent: false,
    reason: 'gatewayUnavailable',
  });
  assert.deepEqual(sms.sent, []);
  assert.match(lines.join(''), /could not be counted/);
});

test('when returning quota fails, the day has one SMS less, and the outcome is still returned', async () => {
  const { context, sms, lines } = world(limited, 2);
  sms.next({ state: 'refused', permanent: true, reason: 'refused', detail: 'No.' });
  const own = account();
  const outcome = await sendWithinLimits(context, text(), own, clock.machineNow());
  assert.partialDeepStrictEqual(outcome, { state: 'refused', reason: 'refused' });
  assert.match(lines.join(''), /could not be given back/);
  const { context: next } = world();
  const second = await sendWithinLimits(next, text(), own, clock.machineNow());
  assert.partialDeepStrictEqual(second, { state: 'refused', reason: 'dailyCeiling' });
});

test('an SMS that is too late is not handed over, and its quota is returned; after an unknown outcome it is not', async () => {
  const { context, sms } = world();
  const own = account();
  const longAgo = new Date(clock.machineNow().getTime() - 6_000);
  const late = await sendWithinLimits(context, text(), own, longAgo);
  assert.partialDeepStrictEqual(late, { state: 'refused', notAsked: true });
  assert.deepEqual(sms.sent, []);
  sms.next({ state: 'unknown', detail: 'No answer.' });
  assert.equal((await sendWithinLimits(context, text(), own, clock.machineNow())).state, 'unknown');
  const third = await sendWithinLimits(context, text(), own, clock.machineNow());
  assert.partialDeepStrictEqual(third, { state: 'refused', reason: 'dailyCeiling' });
});
