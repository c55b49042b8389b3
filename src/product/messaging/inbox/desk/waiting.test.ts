/** Long because it holds a second, plain implementation of the rules to compare with. */
/**
 * The row of a conversation agrees with a plain reading of all its messages, in whatever order they were written, failed, were
 * deleted, or were merged.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { readMigrations } from '#platform/db/migrate.ts';
import { mergeCustomers } from '#product/customers/merge/merge.ts';
import { insertWorld } from '../../../../../test/fixtures/booking-events.ts';
import { testClock } from '../../../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../../../test/harness/database.ts';
import { listConversations } from '../store.ts';
import { markDone, markWaiting } from './mark.ts';
import { findDesk } from './store.ts';

const { db } = await createTestDatabase();
const context = { db, clock: testClock() };
const { workshopId } = await insertWorld(db);
const actor = actors.operator;

const sayings = {
  asks: ['inbound', 'inbound', 'received', null],
  answered: ['outbound', 'reply', 'delivered', null],
  underWay: ['outbound', 'partnerMessage', 'sending', null],
  refused: ['outbound', 'reply', 'failed', 'refused'],
  optedOut: ['outbound', 'reply', 'failed', 'optedOut'],
  notice: ['outbound', 'bookingNotice', 'delivered', null],
  lostNotice: ['outbound', 'bookingNotice', 'failed', 'refused'],
} as const;
type Saying = keyof typeof sayings;
const fates: readonly (readonly [string, string | null])[] = [
  ...['delivered', 'undelivered', 'expired', 'unknown', 'sending'].map((state) => [state, null] as const),
  ...['refused', 'optedOut', 'erased'].map((reason) => ['failed', reason] as const),
];

interface Said {
  readonly id: string;
  readonly who: 0 | 1;
  readonly direction: string;
  readonly kind: string;
  state: string;
  reason: string | null;
  isConfirmed: boolean;
}

/** The marks that staff set on one talk. */
interface Marks {
  isDone: boolean;
  reopened: string | null;
}

const newest = (said: readonly Said[]) =>
  said
    .map(({ id }) => id)
    .sort()
    .at(-1) ?? '';
const moves = ({ kind }: Said) => ['reply', 'partnerMessage', 'inbound'].includes(kind);
const isLost = ({ state, reason }: Said) =>
  ['undelivered', 'expired'].includes(state) ||
  (state === 'failed' && !['optedOut', 'erased', 'cancelled'].includes(reason ?? ''));
const isNoAnswer = (one: Said) => isLost(one) || (one.state === 'failed' && one.reason !== 'optedOut');

/** The rules, applied to all messages. */
function plainly(said: readonly Said[], { isDone, reopened }: Marks) {
  const out = said.filter(({ direction }) => direction === 'outbound');
  const answer = newest(out.filter((one) => moves(one) && !isNoAnswer(one)));
  const heard = newest(said.filter((one) => one.direction === 'inbound' && !one.isConfirmed));
  const lost = newest(out.filter((one) => isLost(one) || one.state === 'unknown'));
  const waits = heard > answer || (reopened !== null && reopened >= answer);
  const shown = newest(said.filter((one) => moves(one) || one.id === lost));
  return {
    state: isDone ? 'done' : waits ? 'waiting' : 'open',
    failed: !isDone && lost !== '' && lost >= answer,
    /** Empty: no message puts it into the lists. */
    shown,
    answer,
  };
}

const number = fc.nat(1_000);
const change = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('say' as const),
      texts: fc.array(
        fc.record({
          who: fc.constantFrom(0, 1),
          saying: fc.constantFrom(...(Object.keys(sayings) as Saying[])),
          at: number,
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ op: fc.constant('turn' as const), which: number, to: fc.constantFrom(...fates) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constantFrom('confirm', 'forget', 'done', 'waiting', 'merge'),
      which: number,
    }),
  },
);

/** Two customers, all changes to them, and the plain reading to compare with. */
async function talks() {
  const ids = [newId(), newId()] as const;
  const conversations = [newId(), newId()] as const;
  await db.query(
    `INSERT INTO customer (id, workshop_id, name, created_at, updated_at) SELECT id, $1, 'Ava', now(), now() FROM unnest($2::uuid[]) AS id`,
    [workshopId, ids],
  );
  await db.query(
    `INSERT INTO conversation (id, workshop_id, customer_id, created_at)
     SELECT talk, $1, customer, now() FROM unnest($2::uuid[], $3::uuid[]) AS its (talk, customer)`,
    [workshopId, conversations, ids],
  );
  // Ids are shuffled: a message's id may be older than those of messages written before it.
  const free = Array.from({ length: 40 }, () => newId());
  let said: Said[] = [];
  let isMerged = false;
  const notices = new Set<string>();
  const marks: [Marks, Marks] = [
    { isDone: false, reopened: null },
    { isDone: false, reopened: null },
  ];
  const sideOf = (who: number) => (isMerged ? 0 : who) as 0 | 1;
  const of = (side: number) => said.filter(({ who }) => sideOf(who) === side);
  const reading = (side: 0 | 1) => plainly(of(side), marks[side]);
  const insert = (rows: readonly object[]) =>
    db.query(
      `INSERT INTO message (id, workshop_id, conversation_id, customer_id, direction, kind, recipient, body, encoding, segments, state, reason,
                            cause_id, created_at, updated_at)
       SELECT m.id, $1, m.talk, m.customer, direction, kind, '+61491570006', 'Hi', 'gsm7', 1, state, reason, cause, now(), now()
         FROM jsonb_to_recordset($2::jsonb) AS m (id uuid, talk uuid, customer uuid, direction text, kind text, state text, reason text, cause uuid)`,
      [workshopId, JSON.stringify(rows)],
    );
  const placed = ({ who, ...one }: Said) => ({ ...one, talk: conversations[who], customer: ids[who] });

  return {
    async say(texts: readonly { readonly who: number; readonly saying: Saying; readonly at: number }[]) {
      const fresh = texts.flatMap(({ who, saying, at }): Said[] => {
        const [id] = free.splice(at % 3 === 0 ? at % Math.max(1, free.length) : 0, 1);
        const [direction, kind, state, reason] = sayings[saying];
        return id === undefined
          ? []
          : [{ id, who: who as 0 | 1, direction, kind, state, reason, isConfirmed: false }];
      });
      await insert(fresh.map(placed));
      said.push(...fresh);
      for (const one of fresh)
        if (one.direction === 'inbound' || isLost(one)) marks[sideOf(one.who)].isDone = false;
    },
    async turn(which: number, [state, reason]: readonly [string, string | null]) {
      const sent = said.filter(({ direction }) => direction === 'outbound');
      const one = sent[which % Math.max(1, sent.length)];
      if (one === undefined) return;
      const was = isLost(one);
      await db.query('UPDATE message SET state = $2, reason = $3 WHERE id = $1', [one.id, state, reason]);
      Object.assign(one, { state, reason });
      if (isLost(one) && !was) marks[sideOf(one.who)].isDone = false;
    },
    async confirm(which: number) {
      const heard = said.filter(({ direction, isConfirmed }) => direction === 'inbound' && !isConfirmed);
      const one = heard[which % Math.max(1, heard.length)];
      if (one === undefined) return;
      const row = {
        ...placed(one),
        ...{ id: newId(), cause: one.id, direction: 'outbound', kind: 'confirmation', state: 'sending' },
      };
      await insert([row]);
      one.isConfirmed = true;
    },
    async forget(which: number) {
      const one = said[which % Math.max(1, said.length)];
      if (one === undefined || one.isConfirmed) return;
      await db.query('DELETE FROM message WHERE id = $1', [one.id]);
      said = said.filter((other) => other !== one);
    },
    async done(which: number) {
      const side = sideOf(which % 2);
      await markDone(context, { workshopId, conversationId: conversations[side] }, actor);
      marks[side] = { isDone: true, reopened: null };
    },
    async waiting(which: number) {
      const side = sideOf(which % 2);
      if (reading(side).state !== 'waiting') marks[side] = { isDone: false, reopened: reading(side).answer };
      await markWaiting(context, { workshopId, conversationId: conversations[side] }, actor);
    },
    async merge() {
      if (isMerged) return;
      const [kept, gone] = [reading(0), reading(1)];
      const talked = await Promise.all(
        conversations.map(async (id) => (await findDesk(db, workshopId, id))?.lastMessageId !== null),
      );
      const waited = ([0, 1] as const).some((side) => {
        const { isDone, reopened } = marks[side];
        return !isDone && reopened !== null && reopened >= reading(side).answer;
      });
      await mergeCustomers(context, {
        ...{ workshopId, actor },
        both: [{ customerId: ids[1] }, { customerId: ids[0] }],
      });
      const isDone = (marks[0].isDone && (marks[1].isDone || !talked[1])) || (marks[1].isDone && !talked[0]);
      isMerged = true;
      marks[0] = {
        isDone,
        reopened: waited ? newest(of(0).filter(({ id }) => id === kept.answer || id === gone.answer)) : null,
      };
    },
    async judge() {
      for (const side of isMerged ? ([0] as const) : ([0, 1] as const)) {
        const { answer: _, shown, ...expected } = reading(side);
        for (const asked of isMerged ? conversations : [conversations[side]]) {
          const desk = await findDesk(db, workshopId, asked);
          const { state, failed, lastMessageId } = desk ?? assert.fail();
          assert.deepEqual({ state, failed }, expected);
          // A conversation with notices only that staff have marked is listed by its newest notice until a newer message.
          if (shown === '' && lastMessageId !== null) notices.add(lastMessageId);
          else if (lastMessageId === null || lastMessageId < shown || !notices.has(lastMessageId))
            assert.equal(lastMessageId ?? '', shown);
        }
      }
    },
    async judgeLists() {
      const found = async (filter: 'all' | 'waiting' | 'done' | 'failed') => {
        const asked = { workshopId, filter, assignedTo: null, before: null, limit: 10 };
        const rows = await listConversations(db, asked);
        return rows.map((row) => row.lastMessageId).filter((id) => sides.some((side) => shown[side] === id));
      };
      const sides = (isMerged ? ([0] as const) : ([0, 1] as const)).filter(
        (side) => reading(side).shown !== '',
      );
      const desks = await Promise.all(conversations.map((id) => findDesk(db, workshopId, id)));
      const shown = desks.map((desk) => desk?.lastMessageId ?? '');
      const expected = (holds: (side: 0 | 1) => boolean) =>
        sides
          .filter(holds)
          .map((side) => shown[side])
          .sort()
          .reverse();
      assert.deepEqual(
        await found('all'),
        expected(() => true),
      );
      for (const state of ['waiting', 'done'] as const)
        assert.deepEqual(
          await found(state),
          expected((side) => reading(side).state === state),
          state,
        );
      assert.deepEqual(
        await found('failed'),
        expected((side) => reading(side).failed),
      );
    },
    /** Fills the rows as the migration does: marks of staff do not exist yet. */
    async fillAnew() {
      await db.query('DELETE FROM talk WHERE customer_id = ANY ($1::uuid[])', [ids]);
      for (const each of marks) Object.assign(each, { isDone: false, reopened: null });
      await db.query(fill);
    },
  };
}

/** The statement of the migration that fills the rows. */
const fill =
  (await readMigrations())
    .find(({ name }) => name.endsWith('_talk_fill.sql'))
    ?.sql.replace(/^.*(?=DO \$\$)/s, '') ?? assert.fail();

test("messages, failures, late deliveries, confirmations, deletions, marks and merges: each list agrees with the plain reading (specification: Customers' answers 2 and 4)", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 14 }),
      fc.boolean(),
      async (changes, startOver) => {
        const world = await talks();
        for (const each of changes) {
          if (each.op === 'say') await world.say(each.texts);
          else if (each.op === 'turn') await world.turn(each.which, each.to);
          else await world[each.op](each.which);
          await world.judge();
        }
        if (startOver) {
          await world.fillAnew();
          await world.judge();
        }
        await world.judgeLists();
      },
    ),
    { numRuns: 60 },
  );
});
