import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScanWindow } from './scan-window.ts';

test('a look begins at what the last one found; a full one comes each five seconds, and seldomer where it takes long', () => {
  let nowMs = 0;
  const scans = createScanWindow(() => nowMs);
  const look = (tookMs: number, oldest: string | null) => {
    const its = scans.next();
    nowMs += tookMs;
    scans.found(oldest);
    return its;
  };
  assert.deepEqual(look(10, 'a'), { isFull: true, oldest: null });
  assert.deepEqual(look(10, null), { isFull: false, oldest: 'a' });
  nowMs = 5_009;
  assert.deepEqual(look(0, 'b'), { isFull: false, oldest: null });
  nowMs = 5_010;
  assert.deepEqual(look(1_000, 'c'), { isFull: true, oldest: 'b' });
  nowMs = 26_009;
  assert.equal(look(0, null).isFull, false);
  nowMs = 26_010;
  // It fails: nothing was found, and nothing was looked through.
  assert.equal(scans.next().isFull, true);
  assert.equal(scans.next().isFull, true);
});
