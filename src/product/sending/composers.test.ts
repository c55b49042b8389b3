/** An e-mail whose composer throws does not stop the others, and a database error costs no attempt. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { DatabaseUnavailable } from '#platform/db/errors.ts';
import { composers } from '#work.ts';
import { messagingWorld } from '../../../test/fixtures/messaging.ts';
import { makeAllDue } from '../../../test/harness/sending.ts';
import type { EmailComposer } from './compose.ts';
import { enqueue } from './enqueue.ts';
import { sendDue } from './sender.ts';

const { app, workshopId } = await messagingWorld();
const { context, email } = app;
const { db, clock } = context;
const [away, broken, fine] = ['away@desk.example', 'broken@desk.example', 'fine@desk.example'];

const composing: EmailComposer = async (ctx, message) => {
  if (message.recipient === away) throw new DatabaseUnavailable('no connection to PostgreSQL');
  if (message.recipient === broken) throw new Error('a bug');
  return (await composers.inboxDigest?.(ctx, message)) ?? null;
};
const waiting = () =>
  db.query<{ recipient: string; tries: number; attempts: number }>(
    `SELECT recipient, tries::int, (SELECT count(*)::int FROM message_attempt a WHERE a.message_id = q.message_id) AS attempts
       FROM queued_message q ORDER BY recipient`,
  );

test('always: only an error of the composer itself costs an attempt', async () => {
  const messages = [away, broken, fine].map((recipient) => ({
    ...({ kind: 'inboxDigest', channel: 'email', audience: 'workshop', workshopId, recipient } as const),
    ...{ causeId: newId(), subject: 'New answers', body: 'Two.' },
  }));
  await enqueue(db, messages, { now: clock.now(), actor: actors.schedule, exemptCountries: [] });
  for (let passes = 1; passes <= 2; passes++) {
    await makeAllDue(db);
    await sendDue(context, { ...composers, inboxDigest: composing });
    assert.deepEqual(await waiting(), [
      { recipient: away, tries: 0, attempts: 0 },
      { recipient: broken, tries: passes, attempts: passes },
    ]);
  }
  assert.equal(email.to(fine).length, 1);
});
