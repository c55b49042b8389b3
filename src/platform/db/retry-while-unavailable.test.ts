import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseUnavailable } from './errors.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';

function failing(times: number, error: Error) {
  let runs = 0;
  return {
    runs: () => runs,
    async work() {
      if (++runs <= times) throw error;
      return 'done';
    },
  };
}

test('work is run again while PostgreSQL is unavailable, and only for so long', async (t) => {
  // The pause holds no process.
  t.after(
    clearInterval.bind(
      null,
      setInterval(() => undefined, 1_000),
    ),
  );
  const away = new DatabaseUnavailable('away');
  const passing = failing(2, away);
  assert.deepEqual([await retryWhileUnavailable(passing.work), passing.runs()], ['done', 3]);
  const lasting = failing(Number.POSITIVE_INFINITY, away);
  await assert.rejects(retryWhileUnavailable(lasting.work, 100), away);
  assert.ok(lasting.runs() > 1);
  const bug = failing(1, new Error('a bug'));
  await assert.rejects(retryWhileUnavailable(bug.work), /a bug/);
  assert.equal(bug.runs(), 1);
});
