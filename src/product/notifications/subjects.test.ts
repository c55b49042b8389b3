/** Rules for the notices of every subject: who is notified, how often, in which order, in how many round trips. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { WaitingEvent } from '#platform/events/reaction.ts';
import { eventKinds, recordEvent } from '#platform/events/record.ts';
import type { StoredMessage } from '#product/sending/compose.ts';
import { bookingRoots, noticeRoots } from '#product/templates/fields.ts';
import { judgeTexts } from '#product/templates/texts.ts';
import { composers } from '#work.ts';
import { insertWorld, workContext } from '../../../test/fixtures/booking-events.ts';
import { noticeEvent } from '../../../test/fixtures/notices.ts';
import { watched } from '../../../test/fixtures/watched-database.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { notify } from './plan.ts';
import { subjects } from './subjects.ts';
import { waysOf } from './text.ts';

const { db } = await createTestDatabase();
const context = workContext(db);
const ctx = { ...context, config: { ...context.config, publicUrl: 'https://pitlane.example' } };

/** Each kind of event that notifies somebody, with the ways of its notices. */
const told = subjects.flatMap((subject) =>
  eventKinds.flatMap((kind) => {
    const ways = waysOf(subject, kind);
    return ways.length === 0 ? [] : [{ subject, kind, ways }];
  }),
);

/** An event that would notify everybody, with its own record and workshop. */
async function happened(kind: (typeof eventKinds)[number], version = 1): Promise<WaitingEvent> {
  const world = await insertWorld(db);
  const { booking, partnerId, workshopId } = world;
  const { payload } = noticeEvent({ booking });
  const event = { id: newId(), kind, partnerId, workshopId, subjectId: booking.id, version };
  const everybody = { dateChanged: true, notifyCustomer: true, notifyWorkshop: true };
  await recordEvent(db, {
    ...event,
    payload: { ...payload, ...everybody },
    occurredAt: ctx.clock.now(),
    actor: actors.operator,
  });
  return event;
}

/** Plans them together, and returns the number of statements. */
async function planned(events: readonly WaitingEvent[]): Promise<number> {
  let statements = 0;
  await db.transaction(async (tx) => {
    const counting: Queryable = {
      ...tx,
      query(text, values) {
        statements++;
        return tx.query(text, values);
      },
    };
    await notify(counting, events, ctx);
  });
  return statements;
}

interface Row extends StoredMessage {
  readonly seriesId: string;
  readonly seriesNumber: number;
}

const messagesOf = (event: WaitingEvent) =>
  db.query<Row>('SELECT * FROM message WHERE cause_id = $1', [event.id]);

for (const { subject, kind, ways } of told) {
  test(`${kind}: those with texts are notified, once each, in the order of the record's versions`, async () => {
    const event = await happened(kind, 7);
    await planned([event]);
    await planned([event]);
    const rows = await messagesOf(event);
    assert.deepEqual(rows.map(({ audience, channel }) => `${audience} ${channel}`).sort(), ways.toSorted());
    for (const row of rows)
      assert.deepEqual([row.kind, row.seriesId, row.seriesNumber], [subject.kind, event.subjectId, 7]);
  });
}

test('variables that only one subject has are refused in texts of others', () => {
  const own = subjects.map(({ name }) => name).filter((name) => !bookingRoots.some((root) => root === name));
  assert.deepEqual(Object.keys(noticeRoots).sort(), own.sort());
  for (const root of own) {
    const judged = (purpose: string) => judgeTexts({ body: `{{ ${root}.code }}` }, purpose).errors;
    assert.deepEqual(judged(`${root}Any.customer.sms`), []);
    for (const purpose of ['inbox', 'bookingCreated.customer.sms'])
      assert.match(judged(purpose)[0]?.message ?? '', new RegExp(`^${root}\\.code is for notices of`));
  }
});

for (const { name, kind: messageKind } of subjects) {
  const kinds = told.filter(({ subject }) => subject.name === name).map(({ kind }) => kind);

  test(`${name}: planning twelve events takes as many statements as planning one`, async () => {
    for (const kind of kinds) {
      const one = await planned([await happened(kind)]);
      const events = await Promise.all(Array.from({ length: 12 }, () => happened(kind)));
      assert.equal(await planned(events), one, kind);
      assert.ok(one <= 3, `${kind}: ${one}`);
    }
  });

  test(`${name}: concurrent hand-overs of e-mails read their events together`, async () => {
    const events = await Promise.all(
      Array.from({ length: 12 }, () => happened(kinds[0] ?? 'booking.created')),
    );
    await planned(events);
    const rows = (await Promise.all(events.map(messagesOf))).flat();
    const mails = rows.filter(({ channel }) => channel === 'email');
    const { watching, batches, sizes } = watched(db);
    const made = await Promise.all(
      mails.map((mail) => composers[messageKind]?.({ ...ctx, db: watching }, mail)),
    );
    assert.deepEqual(
      made.map((mail) => mail?.reference),
      mails.map(({ id }) => id),
    );
    assert.equal(
      sizes().reduce((sum, size) => sum + size, 0),
      mails.length,
    );
    assert.ok(batches.length < mails.length / 2, `${batches.length} for ${mails.length}`);
  });
}
