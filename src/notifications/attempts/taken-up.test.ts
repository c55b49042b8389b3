/** A worker that was thought dead comes back when another has its job: what is still to be tried is tried. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SmsOutcome } from '#gateways/sms/gateway.ts';
import { startWorker } from '#worker.ts';
import { messagingWorld, newPhone, refusedForNow, until } from '../../../test/fixtures/messaging.ts';

const { app, book } = await messagingWorld();
const { context, sms } = app;
const { db } = context;
/** Nobody is looked for. */
const timing = { heartbeatMs: 3_600_000, silentMs: 3_600_000, searchMs: 3_600_000 };

const notAsked = { ...refusedForNow, notAsked: true, retryAfterMs: 20_000 } as SmsOutcome;

for (const [what, outcome] of [
  ['its answer was a refusal for now', refusedForNow],
  ['no gateway was asked', notAsked],
] as const) {
  test(`${what}: it does not end the other one's job`, async (t) => {
    const phone = newPhone();
    const answers: ((outcome: SmsOutcome) => void)[] = [];
    sms.always(phone, () => {
      const { promise, resolve } = Promise.withResolvers<SmsOutcome>();
      answers.push(resolve);
      return promise;
    });
    await book(phone);
    const first = await startWorker(context, timing);
    t.after(() => first.stop());
    await until(async () => answers.length === 1);
    // It is thought dead: its jobs are free, and its hand-over is long over by the clock.
    await db.query(
      `SELECT graphile_worker.force_unlock_workers(ARRAY(SELECT locked_by FROM graphile_worker.jobs WHERE locked_by IS NOT NULL))`,
    );
    app.pass(20);
    const second = await startWorker(context, timing);
    t.after(() => second.stop());
    await until(async () => answers.length === 2);

    const waits = async () => {
      const jobs = await db.query(
        'SELECT id FROM graphile_worker.jobs WHERE attempts = 2 AND locked_at IS NULL AND run_at > clock_timestamp()',
      );
      return jobs.length === 1;
    };
    answers[1]?.(refusedForNow);
    await until(waits);
    answers[0]?.(outcome);
    // It has ended when it can be stopped.
    await first.stop();
    sms.always(phone, { state: 'accepted', gatewayId: 'g' });
    await second.stop();
    await app.drain({ retries: true });
    const rows = await db.query(`SELECT state, attempts FROM notification WHERE recipient = $1`, [phone]);
    assert.deepEqual(rows, [{ state: 'accepted', attempts: 3 }]);
  });
}
