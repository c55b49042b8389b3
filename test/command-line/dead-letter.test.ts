/** `pitlane dead-letter`: in words, as JSON, with bad options, with unknown ids. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertUnplaced } from '#messaging/inbound/unplaced/store.ts';
import { newId } from '#values/id.ts';
import { addDeadLetter, listDeadLetters } from '#work/dead-letters/store.ts';
import { fail, json, succeed } from './run.ts';
import { commandWorld } from './world.ts';

const { db, env } = await commandWorld();

async function newLetter(): Promise<string> {
  const failure = { job: 'notify', reason: 'refused', detail: 'No such number.', attempts: 8 };
  await addDeadLetter(db, {
    ...failure,
    payload: { notificationId: newId() },
    at: new Date('2030-01-15T00:00:00Z'),
  });
  return (await listDeadLetters(db))[0]?.id ?? '';
}

test('list, show, retry and discard', async () => {
  const [older, newer] = [await newLetter(), await newLetter()];
  assert.match((await succeed(['dead-letter', 'list'], env)).stdout, /notify +refused +8 .*No such number\./);
  const first = await json(['dead-letter', 'list', '--limit', '1'], env);
  assert.deepEqual(
    first.map((row: { letterId: string }) => row.letterId),
    [newer],
  );
  const rest = await json(['dead-letter', 'list', '--before', newer], env);
  assert.equal(rest[0].letterId, older);
  const { reason, about } = await json(['dead-letter', 'show', older], env);
  assert.deepEqual([reason, about], ['refused', null]);
  assert.match((await succeed(['dead-letter', 'show', older], env)).stdout, /detail +No such number\./);
  assert.deepEqual(await json(['dead-letter', 'discard', older], env), {
    letterId: older,
    discarded: true,
  });
  assert.match((await succeed(['dead-letter', 'retry', newer], env)).stdout, /queued again/);
  assert.deepEqual(await json(['dead-letter', 'list'], env), []);
  assert.equal((await json(['status'], env)).work.jobsWaiting, 1);
});

test('with the letter of a text that has no place the text goes', async () => {
  const kept = async (body: string) => {
    const id = newId();
    const at = new Date('2030-01-15T00:00:00Z');
    await insertUnplaced(db, {
      id,
      gateway: 'g',
      gatewayId: id,
      from: '+61491570006',
      to: '',
      body,
      receivedAt: at,
    });
    const failure = { job: 'placeInbound', reason: 'noWorkshop', detail: null, attempts: 1, at };
    await addDeadLetter(db, { ...failure, payload: { unplacedId: id } });
  };
  await kept('first');
  await kept('second');
  const [letter] = await listDeadLetters(db);
  await succeed(['dead-letter', 'discard', letter?.id ?? ''], env);
  const left = await json(['inbox', 'unplaced'], env);
  assert.deepEqual(
    left.map(({ body }: { body: string }) => body),
    ['first'],
  );
});

test('what is wrong is said', async () => {
  for (const verb of ['show', 'retry', 'discard']) {
    await fail(['dead-letter', verb, newId()], env, 1, /there is no dead letter/);
    await fail(['dead-letter', verb, 'none', '--json'], env, 1, /there is no dead letter none/);
  }
  await fail(['dead-letter', 'list', '--limit', 'x'], env, 2, /--limit/);
  await fail(['dead-letter', 'list', '--before', 'x'], env, 2, /--before/);
});
