/** Which searches of a session run, which wait, and which are refused (specification: Find 9). */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Problem } from '#errors.ts';
import { inSearchTurn } from './search-turn.ts';

type Asked = Parameters<typeof inSearchTurn>[0];
const by = (sessionId: string, socket = { destroyed: false }) =>
  ({ who: { sessionId }, request: { raw: { socket } } }) as unknown as Asked;
const isRefusal = (error: unknown) =>
  error instanceof Problem && error.status === 429 && error.headers['retry-after'] === '1';

/** Searches that end when they are told to. */
function searches() {
  const running: { readonly name: string; readonly end: () => void; readonly fail: () => void }[] = [];
  const begun: string[] = [];
  const begin = (name: string, asked: Asked) =>
    inSearchTurn(asked, () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) => {
        running.push({ name, end: () => resolve(name), fail: () => reject(new Error(name)) });
      });
    });
  const endOne = async () => {
    running.shift()?.end();
    await turn();
  };
  return { begin, begun, running, endOne };
}

test('two of a session run, the rest wait in their order; those of another session do not wait for them', async () => {
  const { begin, begun, running, endOne } = searches();
  const all = ['1', '2', '3', '4'].map((name) => begin(name, by('one')));
  const other = begin('other', by('two'));
  await turn();
  assert.deepEqual(begun, ['1', '2', 'other']);
  running.splice(0, 1)[0]?.fail();
  await assert.rejects(all[0] ?? assert.fail(), /^Error: 1$/);
  await turn();
  assert.deepEqual(begun, ['1', '2', 'other', '3'], 'one that fails makes room too');
  while (running.length > 0) await endOne();
  assert.deepEqual(begun, ['1', '2', 'other', '3', '4']);
  assert.deepEqual(await Promise.all([...all.slice(1), other]), ['2', '3', '4', 'other']);
});

test('of forty-three at once one is refused, and one whose client has gone is not run', async () => {
  const { begin, begun, running, endOne } = searches();
  const socket = { destroyed: false };
  const all = Array.from({ length: 42 }, (_, n) => begin(`${n}`, n === 2 ? by('one', socket) : by('one')));
  await assert.rejects(begin('too many', by('one')), isRefusal);
  socket.destroyed = true;
  const gone = assert.rejects(all[2] ?? assert.fail(), isRefusal);
  while (running.length > 0) await endOne();
  await gone;
  assert.equal(begun.length, 41);
  assert.equal((await Promise.allSettled(all)).filter(({ status }) => status === 'fulfilled').length, 41);
});

test('who has waited for five seconds is refused, and keeps nobody from the next turn', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { begin, begun, running, endOne } = searches();
  const all = ['1', '2', '3'].map((name) => begin(name, by('one')));
  const refused = assert.rejects(all[2] ?? assert.fail(), isRefusal);
  mock.timers.tick(4_999);
  await turn();
  assert.deepEqual(begun, ['1', '2']);
  mock.timers.tick(1);
  await refused;
  const last = begin('4', by('one'));
  while (running.length > 0) await endOne();
  assert.deepEqual([begun, await last], [['1', '2', '4'], '4']);
  mock.timers.reset();
});
