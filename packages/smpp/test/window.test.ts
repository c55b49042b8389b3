import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWindow } from '../src/window.ts';

const { signal } = new AbortController();

test('places go to whoever has waited longest, and each is given back once', async () => {
  const window = createWindow(1);
  const leave = await window.enter(1, signal, 'new');
  const order: string[] = [];
  const took = (who: string) => (next: (() => void) | null) => {
    order.push(who);
    return next;
  };
  const first = window.enter(60_000, signal, 'new').then(took('first'));
  const second = window.enter(60_000, signal, 'new').then(took('second'));
  leave?.();
  leave?.();
  const leaveFirst = await first;
  assert.deepEqual(order, ['first']);
  assert.equal(await window.enter(1, signal, 'new'), null);
  leaveFirst?.();
  (await second)?.();
});

test('the rest of a message that has begun goes before new messages', async () => {
  const window = createWindow(1);
  const leave = await window.enter(1, signal, 'new');
  const later = window.enter(60_000, signal, 'new');
  const begun = window.enter(60_000, signal, 'begun');
  leave?.();
  const leaveBegun = await begun;
  assert.notEqual(leaveBegun, null);
  leaveBegun?.();
  assert.notEqual(await later, null);
});

test('a waiter that gives up takes no place', async () => {
  const window = createWindow(1);
  const leave = await window.enter(1, signal, 'new');
  const controller = new AbortController();
  const waiting = window.enter(60_000, controller.signal, 'begun');
  controller.abort();
  assert.equal(await waiting, null);
  assert.equal(await window.enter(60_000, controller.signal, 'new'), null);
  leave?.();
  assert.notEqual(await window.enter(1, signal, 'new'), null);
});
