import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBytesInBulk } from './random.ts';

test('no bytes are handed out twice, over many draws from the system', () => {
  const seen = new Set<string>();
  for (let n = 0; n < 20_000; n++) seen.add(Buffer.from(randomBytesInBulk(8)).toString('hex'));
  assert.equal(seen.size, 20_000);
});

test('what was handed out stays as it is', () => {
  const kept = randomBytesInBulk(16);
  const before = [...kept];
  for (let n = 0; n < 1_000; n++) randomBytesInBulk(16);
  assert.deepEqual([...kept], before);
});

test('as many as are asked for, up to all at once; every byte comes up', () => {
  for (const count of [0, 1, 7, 4_095, 4_096, 3]) assert.equal(randomBytesInBulk(count).length, count);
  const counts = new Array<number>(256).fill(0);
  for (let n = 0; n < 1_000; n++)
    for (const byte of randomBytesInBulk(64)) counts[byte] = (counts[byte] ?? 0) + 1;
  // 250 of each are expected; one that is eight deviations off has a chance of one in 10^15.
  for (const [byte, count] of counts.entries()) assert.ok(Math.abs(count - 250) < 130, `${byte}: ${count}`);
});
