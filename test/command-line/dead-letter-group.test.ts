/** `pitlane dead-letter`: whom letters are about, and groups of them, counted, retried and discarded. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { addDeadLetter } from '#platform/work/dead-letters/store.ts';
import { insertUnmatched } from '#product/messaging/inbound/store.ts';
import { enqueue } from '#product/sending/enqueue.ts';
import { fail, json, succeed } from './run.ts';
import { commandWorld, workshopOptions } from './world.ts';

const { customerId, db, env, partnerId, workshopId } = await commandWorld();

const at = new Date('2030-01-15T00:00:00Z');
const letterOf = (job: string, payload: object, reason = 'error') =>
  addDeadLetter(db, { job, payload, reason, detail: null, attempts: 1, at });

/** A failed text of the workshop with its letter. Returns the message's id. */
async function failedText(workshopOfIt: string, its: { customerId: string; recipient: string }) {
  const reply = { kind: 'reply', channel: 'sms', audience: 'customer', body: 'At 5 pm.' } as const;
  const actor = actors.schedule;
  const [queued] = await enqueue(db, [{ ...reply, workshopId: workshopOfIt, ...its }], {
    ...{ now: at, actor, exemptCountries: [] },
  });
  const messageId = queued?.messageId ?? '';
  await db.query('DELETE FROM queued_message WHERE message_id = $1', [messageId]);
  await db.query(`UPDATE message SET state = 'failed', reason = 'refused' WHERE id = $1`, [messageId]);
  await letterOf('send', { messageId }, 'refused');
  return messageId;
}

test('always: a list names workshop, partner and the masked recipient, and is narrowed and counted by groups', async () => {
  const other = await json(['workshop', 'create', ...workshopOptions, '--slug', 'other'], env);
  const recipient = '+61491570313';
  await failedText(workshopId, { customerId, recipient });
  const ofPartner = await failedText(workshopId, { customerId, recipient });
  await db.query('UPDATE message SET partner_id = $1 WHERE id = $2', [partnerId, ofPartner]);
  await letterOf('inboxDigest', { workshopId: other.workshopId });
  await letterOf('unheardOf', { strangeId: newId() });
  const rows = await json(['dead-letter', 'list'], env);
  assert.deepEqual(
    rows
      .map(({ job, workshop, partner, recipient }: Record<string, string | null>) =>
        [job, workshop, partner, recipient].join(' / '),
      )
      .sort(),
    [
      'inboxDigest / Carlton Motors /  / ',
      'send / Carlton Motors /  / +61…313',
      'send / Carlton Motors / Example Fleet / +61…313',
      'unheardOf /  /  / ',
    ],
  );
  const { stdout } = await succeed(['dead-letter', 'list'], env);
  assert.match(stdout, /WORKSHOP +PARTNER +RECIPIENT/);
  assert.doesNotMatch(stdout, /491570313/);
  const of = (...options: string[]) => json(['dead-letter', 'list', ...options], env);
  assert.equal((await of('--workshop', 'base', '--limit', '1')).length, 1);
  assert.equal((await of('--workshop', 'base')).length, 2);
  assert.equal((await of('--workshop', 'other', '--job', 'send')).length, 0);
  const counts = async (by: string, ...more: string[]) =>
    (await of('--by', by, ...more)).map((row: Record<string, unknown>) => [row[by], row['letters']]);
  assert.deepEqual((await counts('job')).sort().reverse(), [
    ['unheardOf', 1],
    ['send', 2],
    ['inboxDigest', 1],
  ]);
  assert.deepEqual(await counts('reason', '--workshop', 'base'), [['refused', 2]]);
  const byWorkshop = await of('--by', 'workshop');
  const letters = Object.fromEntries(
    byWorkshop.map((row: Record<string, unknown>) => [row['workshopId'], row['letters']]),
  );
  assert.deepEqual(letters, { [workshopId]: 2, [other.workshopId]: 1, null: 1 });
  assert.equal(byWorkshop[0].workshopId, workshopId, 'the largest group first');
  assert.match((await succeed(['dead-letter', 'list', '--by', 'job'], env)).stdout, /JOB +LETTERS +OLDEST/);
  await fail(['dead-letter', 'list', '--by', 'partner'], env, 2, /--by must be reason, job, workshop/);
  await fail(['dead-letter', 'retry', '--workshop', 'nowhere'], env, 1, /nowhere/);
});

test('always: a group is that of its workshop alone, in calls that are bounded and go on, and each letter is judged alone', async () => {
  await db.query('DELETE FROM dead_letter');
  const recipient = '+61491570313';
  const stuckSms = async () => {
    const [id, from] = [newId(), '+61491570158'];
    const sms = { id, gateway: 'g', gatewayId: id, from, to: '', body: 'x', attachments: [], receivedAt: at };
    await insertUnmatched(db, sms);
    await letterOf('placeInbound', { unplacedId: id }, 'stuck');
  };
  await stuckSms();
  const messageId = await failedText(workshopId, { customerId, recipient });
  await stuckSms();
  await db.query(
    `UPDATE dead_letter SET reason = 'stuck',
        id = CASE WHEN job = 'send' THEN '00000000-0000-7000-8000-000000000002'::uuid ELSE id END`,
  );
  await db.query(
    `UPDATE dead_letter SET id = '00000000-0000-7000-8000-000000000001'
      WHERE id = (SELECT id FROM dead_letter ORDER BY id DESC LIMIT 1)`,
  );
  const elsewhere = await json(['workshop', 'create', ...workshopOptions, '--slug', 'third'], env);
  await letterOf('inboxDigest', { workshopId: elsewhere.workshopId }, 'other');
  const retry = (...options: string[]) =>
    json(['dead-letter', 'retry', '--reason', 'stuck', ...options], env);
  const first = await retry('--limit', '1');
  assert.deepEqual([first.retried, first.refused, first.refusals.length], [0, 1, 1]);
  assert.match(first.refusals[0].message, /number that is no workshop/);
  const rest = await retry('--after', first.after);
  assert.deepEqual([rest.retried, rest.refused, rest.after], [1, 1, null]);
  assert.equal((await db.query('SELECT FROM queued_message WHERE message_id = $1', [messageId])).length, 1);
  const text = (await succeed(['dead-letter', 'retry', '--reason', 'stuck'], env)).stdout;
  assert.match(
    text,
    /the work of 0 dead letters is tried again\n2 stay, each for its own reason:\n {2}[0-9a-f-]{36}: /,
  );
  assert.equal((await json(['dead-letter', 'discard', '--workshop', 'base'], env)).discarded, 0);
  assert.equal((await json(['dead-letter', 'discard', '--workshop', 'third'], env)).discarded, 1);
  assert.equal((await json(['dead-letter', 'discard', '--job', 'placeInbound'], env)).discarded, 2);
  await fail(['dead-letter', 'retry', '--job', 'send', '--limit', '0'], env, 2, /--limit/);
  await fail(['dead-letter', 'retry', '--job', 'send', '--after', 'x'], env, 2, /--after/);
});
