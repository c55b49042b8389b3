/** A look finds what was committed since the last one, in whatever order transactions end, and reads few rows of large tables. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { copyEvents } from '#platform/audit/store.ts';
import type { Queryable } from '#platform/db/database.ts';
import { recordEvent } from '#platform/events/record.ts';
import { assertLittleRead } from '../../../test/fixtures/explained.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { look, lookStatement } from './store.ts';

const { db } = await createTestDatabase({ poolSize: 4 });
const [workshopId, elsewhere] = [newId(), newId()];
const at = new Date();
const actor = actors.operator;

/** Records an event of a booking; returns the booking's id. */
async function change(tx: Queryable, of = workshopId): Promise<string> {
  const subjectId = newId();
  await recordEvent(tx, {
    ...{ id: newId(), kind: 'booking.updated', partnerId: null, workshopId: of, subjectId, version: 2 },
    ...{ payload: { booking: { customerId: subjectId } }, occurredAt: at, actor },
  });
  return subjectId;
}

const none: readonly string[] = [];
const scanFrom = async (snapshot: string | null, { seconds = 3, joinedIds = none } = {}) => {
  const found = await look(db, { snapshot, seconds, workshopIds: [workshopId], joinedIds });
  return { ...found, ids: found.changes.map(({ subjectId }) => subjectId) };
};

test('what an earlier transaction commits after a later one is found by the look after its commit, and by no other', async () => {
  const begin = await scanFrom(null);
  const { promise: written, resolve: isWritten } = Promise.withResolvers<string>();
  const { promise: commit, resolve: mayCommit } = Promise.withResolvers<void>();
  const early = db.transaction(async (tx) => {
    isWritten(await change(tx));
    await commit;
  });
  const earlyId = await written;
  const lateId = await change(db);
  const second = await scanFrom(begin.snapshot);
  assert.deepEqual(second.ids, [lateId]);
  mayCommit();
  await early;
  const third = await scanFrom(second.snapshot);
  assert.deepEqual(third.ids, [earlyId]);
  assert.deepEqual((await scanFrom(third.snapshot)).ids, []);
});

test('nothing is found of what was rolled back, nor of a workshop that nobody watches', async () => {
  const begin = await scanFrom(null);
  await change(db, elsewhere);
  await db
    .transaction(async (tx) => {
      await change(tx);
      throw new Error('undone');
    })
    .catch(() => undefined);
  assert.deepEqual((await scanFrom(begin.snapshot)).ids, []);
});

test('an entry of the trail is a change; a copy of an event is not, and a row that is written again has its key', async () => {
  const begin = await scanFrom(null);
  const subject = { kind: 'workshop', id: workshopId };
  await recordEntry(db, { actor, workshopId, subject, action: 'workshop.dayNoted', at });
  const subjectId = await change(db);
  const second = await scanFrom(begin.snapshot);
  assert.deepEqual(second.changes.map(({ what }) => what).toSorted(), [
    'booking.updated',
    'workshop.dayNoted',
  ]);
  const [event] = second.changes.filter((each) => each.subjectId === subjectId);
  assert.equal(event?.customerId, subjectId);
  await copyEvents(db, [event?.key ?? '']);
  await db.query('UPDATE event SET relayed_at = now() WHERE id = $1', [event?.key]);
  const { changes } = await scanFrom(second.snapshot);
  assert.deepEqual(
    changes.map(({ key, isNew }) => [key, isNew]),
    [[event?.key, true]],
  );
});

test('a stream that begins is told what its workshop changed in the last seconds, which is new to no other (specification: The console 28)', async () => {
  const subjectId = await change(db);
  const { snapshot } = await scanFrom(null);
  const { changes } = await scanFrom(snapshot, { joinedIds: [workshopId] });
  assert.deepEqual(changes.find((each) => each.subjectId === subjectId)?.isNew, false);
});

test('a look reads the last seconds of large tables by their ids', async () => {
  const old = `('00000000-' || substr(gen_random_uuid()::text, 10))::uuid`;
  const rows = 'generate_series(1, 20000)';
  await db.query(
    `INSERT INTO event (id, kind, workshop_id, subject_id, version, payload, occurred_at, relayed_at)
     SELECT ${old}, 'booking.created', $1, ${old}, 1, '{}', now(), now() FROM ${rows}`,
    [workshopId],
  );
  await db.query(
    `INSERT INTO audit_entry (id, occurred_at, workshop_id, actor, subject_kind, subject_id, action)
     SELECT ${old}, now(), $1, 'operator', 'workshop', $1, 'workshop.changed' FROM ${rows}`,
    [workshopId],
  );
  await db.query(
    `WITH its AS (
       INSERT INTO workshop (id, name, slug, country, timezone, phone, email, created_at, updated_at)
       VALUES ($1, 'Garage', 'garage', 'AU', 'Australia/Sydney', '+61255501234', 'desk@garage.example', now(), now()) RETURNING id)
     INSERT INTO message (id, workshop_id, direction, channel, kind, audience, recipient, body, encoding, segments, state, created_at, updated_at)
     SELECT ${old}, its.id, 'outbound', 'sms', 'inboxDigest', 'workshop', '+61491570006', 'Hello', 'gsm7', 1, 'sending', now(), now()
       FROM its, ${rows}`,
    [workshopId],
  );
  for (const table of ['event', 'audit_entry', 'message']) await db.query(`ANALYZE ${table}`);
  const { snapshot } = await scanFrom(null);
  await change(db);
  const statement = lookStatement({ snapshot, seconds: 60, workshopIds: [workshopId], joinedIds: [] });
  for (const [table, index] of [
    ['event', 'event_pkey'],
    ['message', 'message_pkey'],
    ['audit_entry', 'audit_entry_pkey'],
  ] as const)
    await assertLittleRead(db, statement, { table, index, rowsAtMost: 100 });
});
