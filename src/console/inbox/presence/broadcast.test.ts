/** What a process that stops does when the database does not answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { newId } from '#base/values/id.ts';
import { testLog } from '../../../../test/harness/log.ts';
import { testSealing } from '../../../../test/harness/sealing.ts';
import type { Beat } from './beat.ts';
import { createPresenceBroadcast } from './broadcast.ts';

test('a process stops within a few seconds although its last beats reach nobody', {
  timeout: 10_000,
}, async () => {
  let asked = 0;
  const query = () => {
    asked++;
    return new Promise<never>(() => undefined);
  };
  const db = { query } as never;
  const context = { db, sealing: testSealing(), log: testLog(), clock: systemClock() };
  const broadcast = createPresenceBroadcast(context, { hear: () => undefined, asked: () => undefined });
  const beat = { sessionId: newId(), pageId: newId(), doing: 'gone' } as Beat;
  broadcast.send({ beat, looking: 1, typing: 0 });
  const startedMs = performance.now();
  await broadcast.end();
  assert.equal(asked, 1);
  assert.ok(performance.now() - startedMs < 10_000);
});
