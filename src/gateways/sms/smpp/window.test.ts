import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWindow } from './window.ts';

const { signal } = new AbortController();

test('places are given back once, to whoever has waited longest', async () => {
  const window = createWindow(1);
  const leave = await window.enter(1, signal);
  const order: string[] = [];
  const took = (who: string) => (next: (() => void) | null) => {
    order.push(who);
    return next;
  };
  const first = window.enter(60_000, signal).then(took('first'));
  const second = window.enter(60_000, signal).then(took('second'));
  leave?.();
  leave?.();
  const leaveFirst = await first;
  assert.deepEqual(order, ['first']);
  assert.equal(await window.enter(1, signal), null);
  leaveFirst?.();
  (await second)?.();
  await window.idle();
});

test('who gives up takes no place', async () => {
  const window = createWindow(1);
  const leave = await window.enter(1, signal);
  const controller = new AbortController();
  const waiting = window.enter(60_000, controller.signal);
  controller.abort();
  assert.equal(await waiting, null);
  assert.equal(await window.enter(60_000, controller.signal), null);
  leave?.();
  assert.notEqual(await window.enter(1, signal), null);
});
