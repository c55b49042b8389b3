/** Conversations that wait for an answer: those that Today counts are those of the inbox, whatever was said in them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { listConversations } from '#product/messaging/inbox/store.ts';
import { messagingWorld } from '../../../test/fixtures/messaging.ts';
import { countWaiting, waitingSql } from './store.ts';

const { app, workshopId } = await messagingWorld();
const { db, clock } = app.context;

const said = {
  asked: { direction: 'inbound', kind: 'inbound', state: 'received', reason: null },
  optedOut: { direction: 'inbound', kind: 'inbound', state: 'received', reason: null },
  answered: { direction: 'outbound', kind: 'reply', state: 'delivered', reason: null },
  failed: { direction: 'outbound', kind: 'reply', state: 'failed', reason: 'refused' },
  blocked: { direction: 'outbound', kind: 'reply', state: 'failed', reason: 'optedOut' },
} as const;
type Said = keyof typeof said;
const each = Object.keys(said) as Said[];

/** All that can be said in up to three messages. */
const courses: Said[][] = [1, 2, 3].flatMap((length) =>
  Array.from({ length }).reduce<Said[][]>(
    (before) => before.flatMap((course) => each.map((next) => [...course, next])),
    [[]],
  ),
);

test('what Today counts as answers to read are the conversations that the inbox shows as unanswered', async () => {
  const talks = courses.map((course) => ({ course, customer: newId(), talk: newId() }));
  const messages = talks.flatMap(({ course, talk }) =>
    course.flatMap((what) => {
      const id = newId();
      const message = { id, talk, cause: null, ...said[what] };
      const confirmation = {
        ...{ id: newId(), talk, cause: id, direction: 'outbound', kind: 'confirmation' },
        ...{ state: 'delivered', reason: null },
      };
      return what === 'optedOut' ? [message, confirmation] : [message];
    }),
  );
  await db.query(
    `INSERT INTO customer (id, workshop_id, created_at, updated_at) SELECT id, $1, now(), now() FROM unnest($2::uuid[]) AS id`,
    [workshopId, talks.map(({ customer }) => customer)],
  );
  await db.query(
    `INSERT INTO conversation (id, workshop_id, customer_id, created_at)
     SELECT talk, $1, customer, now() FROM unnest($2::uuid[], $3::uuid[]) AS its (talk, customer)`,
    [workshopId, talks.map(({ talk }) => talk), talks.map(({ customer }) => customer)],
  );
  await db.query(
    `INSERT INTO message (id, workshop_id, conversation_id, customer_id, direction, kind, recipient, body, encoding, segments, state, reason,
                          cause_id, created_at, updated_at)
     SELECT m.id, $1, talk, customer_id, direction, kind, '+61491570006', 'Hi', 'gsm7', 1, state, reason, cause, now(), now()
       FROM jsonb_to_recordset($2::jsonb) AS m (id uuid, talk uuid, direction text, kind text, state text, reason text, cause uuid)
       JOIN conversation ON conversation.id = talk`,
    [workshopId, JSON.stringify(messages)],
  );
  const shown = await listConversations(db, {
    ...{ workshopId, filter: 'waiting', assignedTo: null, before: null, limit: 500 },
  });
  const counted = await db.query<{ id: string; conversationId: string }>(waitingSql.answers, [workshopId]);
  const ids = (of: readonly { readonly conversationId: string }[]) =>
    of.map(({ conversationId }) => conversationId).sort();
  assert.deepEqual(ids(counted), ids(shown));
  assert.ok(shown.length > 20 && shown.length < courses.length, String(shown.length));
  const { answers, failed } = await countWaiting(db, workshopId, clock);
  assert.deepEqual([answers, failed], [Math.min(100, shown.length), 100]);
});
