import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { workContext } from '../../test/fixtures/booking-events.ts';
import { createTestDatabase } from '../../test/harness/database.ts';
import { listDeadLetters } from './dead-letters/store.ts';
import { JobFailure, PermanentFailure, payloadText, runJob } from './job.ts';

const { db } = await createTestDatabase();
const ctx = workContext(db);

beforeEach(() => db.query('DELETE FROM dead_letter'));

function attempt(number: number, fail: unknown) {
  const work = { job: 'a', payload: { id: '1' }, attempt: number, maxAttempts: 8 };
  return runJob(ctx, () => Promise.reject(fail), work);
}

describe('a job that fails', () => {
  it('is thrown on to be run again, before its last attempt', async () => {
    await assert.rejects(attempt(7, new JobFailure('refused', 'Later.')), /Later/);
    assert.deepEqual(await listDeadLetters(db), []);
  });

  it('becomes a dead letter at its last attempt, whatever it threw', async () => {
    await attempt(8, new TypeError('x is not a function'));
    const [letter] = await listDeadLetters(db);
    assert.deepEqual([letter?.reason, letter?.detail, letter?.attempts], ['error', 'x is not a function', 8]);
    assert.equal(letter?.createdAt.getTime(), ctx.clock.now().getTime());
  });

  it('becomes a dead letter at once when it is pointless to run again', async () => {
    await attempt(1, new PermanentFailure('refused', 'Never.'));
    const [letter] = await listDeadLetters(db);
    assert.deepEqual([letter?.reason, letter?.detail, letter?.attempts], ['refused', 'Never.', 1]);
  });
});

it('a payload without the text that is asked for is a permanent failure', () => {
  assert.equal(payloadText({ id: '1' }, 'id'), '1');
  for (const payload of [null, undefined, [], 'id', {}, { id: 1 }]) {
    assert.throws(() => payloadText(payload, 'id'), PermanentFailure);
  }
});
