/** `pitlane dead-letter`: in words, as JSON, with bad options, with unknown ids. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { addDeadLetter, listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { insertUnmatched } from '#product/messaging/inbound/store.ts';
import { enqueue } from '#product/sending/enqueue.ts';
import { fail, json, succeed } from './run.ts';
import { commandWorld } from './world.ts';

const { customerId, db, env, workshopId } = await commandWorld();

async function newLetter(): Promise<string> {
  const failure = { job: 'send', reason: 'refused', detail: 'No such number.', attempts: 8 };
  const payload = { messageId: newId() };
  await addDeadLetter(db, {
    ...failure,
    payload,
    at: new Date('2030-01-15T00:00:00Z'),
  });
  const made = (await listDeadLetters(db)).find((letter) =>
    Object.values(letter.payload).includes(payload.messageId),
  );
  return made?.id ?? '';
}

test('list, show, retry and discard', async () => {
  // Two of one millisecond stand in any order.
  const [older = '', newer = ''] = [await newLetter(), await newLetter()].toSorted();
  assert.match((await succeed(['dead-letter', 'list'], env)).stdout, /send +refused +8 .*No such number\./);
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
});

test('--reason takes all letters with it, and leaves others', async () => {
  const [one, other] = [await newLetter(), await newLetter()];
  await db.query(`UPDATE dead_letter SET reason = 'restored' WHERE id = $1`, [one]);
  await fail(['dead-letter', 'discard', one, '--reason', 'restored'], env, 2, /not both/);
  await fail(['dead-letter', 'discard'], env, 2, /name a dead letter, or a group by --reason/);
  await fail(['dead-letter', 'retry'], env, 2, /name a dead letter, or a group by --reason/);
  const none = { refused: 0, refusals: [], after: null };
  assert.deepEqual(await json(['dead-letter', 'retry', '--reason', 'unheardOf'], env), {
    ...{ reason: 'unheardOf', retried: 0, ...none },
  });
  assert.deepEqual(await json(['dead-letter', 'discard', '--reason', 'restored'], env), {
    ...{ reason: 'restored', discarded: 1, ...none },
  });
  const left = (await listDeadLetters(db)).map(({ id }) => id);
  assert.deepEqual([left.includes(one), left.includes(other)], [false, true]);
});

test('a message that was given up is queued again when its letter is retried, and the letter is deleted', async () => {
  const now = new Date('2030-01-15T00:00:00Z');
  const reply = {
    kind: 'reply',
    workshopId,
    channel: 'sms',
    audience: 'customer',
    customerId,
    recipient: '+61491570313',
    body: 'At 5 pm.',
  } as const;
  const [queued] = await enqueue(db, [reply], { now, actor: actors.schedule, exemptCountries: [] });
  const messageId = queued?.messageId ?? '';
  await db.query('DELETE FROM queued_message');
  await db.query(`UPDATE message SET state = 'failed', reason = 'refused' WHERE id = $1`, [messageId]);
  const letter = {
    job: 'send',
    payload: { messageId },
    reason: 'refused',
    detail: null,
    attempts: 8,
    at: now,
  };
  await addDeadLetter(db, letter);
  const [found] = await listDeadLetters(db);
  assert.match((await succeed(['dead-letter', 'retry', found?.id ?? ''], env)).stdout, /tried again/);
  assert.equal((await json(['status'], env)).work.messages[0].count, 1);
  assert.deepEqual(
    (await listDeadLetters(db)).filter(({ payload }) => payload['messageId'] === messageId),
    [],
  );
});

test('an SMS that is still unmatched stays a letter, and the refusal says why', async () => {
  const at = new Date('2030-01-15T00:00:00Z');
  const sms = { id: newId(), gateway: 'g', gatewayId: newId(), from: '+61491570158', to: '', body: 'x' };
  await insertUnmatched(db, { ...sms, attachments: [], receivedAt: at });
  const payload = { unplacedId: sms.id };
  await addDeadLetter(db, {
    job: 'placeInbound',
    payload,
    reason: 'noWorkshop',
    detail: null,
    attempts: 1,
    at,
  });
  const id = (await listDeadLetters(db))[0]?.id ?? '';
  await fail(['dead-letter', 'retry', id], env, 1, /number that is no workshop/);
  assert.equal((await listDeadLetters(db))[0]?.id, id);
  await succeed(['dead-letter', 'discard', id], env);
});

test('discarding the letter of an unmatched SMS deletes the SMS', async () => {
  const kept = async (body: string) => {
    const id = newId();
    const at = new Date('2030-01-15T00:00:00Z');
    await insertUnmatched(db, {
      id,
      gateway: 'g',
      gatewayId: id,
      from: '+61491570006',
      to: '',
      body,
      attachments: [],
      receivedAt: at,
    });
    const failure = { job: 'placeInbound', reason: 'noWorkshop', detail: null, attempts: 1, at };
    await addDeadLetter(db, { ...failure, payload: { unplacedId: id } });
    return id;
  };
  await kept('first');
  const second = await kept('second');
  const letter = (await listDeadLetters(db)).find(({ payload }) => payload['unplacedId'] === second);
  await succeed(['dead-letter', 'discard', letter?.id ?? ''], env);
  const left = await json(['inbox', 'unmatched'], env);
  assert.deepEqual(
    left.map(({ body }: { body: string }) => body),
    ['first'],
  );
});

test('every fault is named', async () => {
  for (const verb of ['show', 'retry', 'discard']) {
    await fail(['dead-letter', verb, newId()], env, 1, /there is no dead letter/);
    await fail(['dead-letter', verb, 'none', '--json'], env, 1, /there is no dead letter none/);
  }
  await fail(['dead-letter', 'list', '--limit', 'x'], env, 2, /--limit/);
  await fail(['dead-letter', 'list', '--before', 'x'], env, 2, /--before/);
});
