import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Agent } from 'undici';
import { atEnd } from '../../../../test/harness/clean-up.ts';
import { createCallers } from './callers.ts';

test('a caller that is idle leaves nothing behind; one that is not keeps its connections', async () => {
  const made: Agent[] = [];
  const callers = createCallers({
    atOnce: 1,
    idleMs: 20,
    makeAgent: () => {
      const agent = new Agent();
      made.push(agent);
      return agent;
    },
  });
  atEnd(callers.close);
  for (let times = 0; times < 3; times++) await callers.run('one', async () => undefined);
  await assert.rejects(
    callers.run('two', async () => {
      throw new Error('failed');
    }),
    /failed/,
  );
  assert.deepEqual([callers.size(), made.length], [2, 2]);
  while (callers.size() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(made.every((agent) => agent.destroyed));
});
