/** Creations in one batch, over real HTTP: each caller gets its own response. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertProblem,
  blockedConnections,
  bookingWorld,
  rowCounts,
  untilBlocked,
} from '../../../test/fixtures/booking-api.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { watched } from '../../../test/fixtures/watched-database.ts';
import { bookingBody, linkedWorkshop } from '../../../test/harness/world.ts';

const { app, partner, workshopId, book } = await bookingWorld();
const { db } = app.context;
const { watching, batches } = watched(db);
const { request } = await secondApp(app, { context: { db: watching } });

let people = 0;
const newPhone = () => `+6140040${String(1000 + people++)}`;
const create = (changes: object = {}, key?: string) =>
  request('POST', '/bookings', {
    headers: {
      ...{ authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId },
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: bookingBody(workshopId, { customerPhone: newPhone(), ...changes }),
  });

test('404, 403, 422, replays and successes in one batch: each caller gets its own response', async () => {
  const [shut, gone] = [await linkedWorkshop(app, [partner]), await linkedWorkshop(app, [partner])];
  // The country of a workshop is cached, so these requests reach the statement.
  for (const place of [shut, gone])
    assertProblem(await create({ workshopId: place, notes: 1 }), 400, '000001', ['notes']);
  await db.query('UPDATE link SET active = false WHERE workshop_id = $1', [shut]);
  await db.query('DELETE FROM link WHERE workshop_id = $1', [gone]);
  const first = await create({ notes: 'kept' }, 'kept');
  const keptPhone = first.body.booking.customer.phone;
  const before = await rowCounts(app);
  batches.length = 0;

  const answers = await Promise.all([
    ...[
      create(),
      create({ workshopId: shut }),
      create({ workshopId: gone }),
      create({ notes: 'with a key' }, 'new'),
    ],
    ...[create({ notes: 'kept', customerPhone: keptPhone }, 'kept'), create({ notes: 'other' }, 'kept')],
    ...[create({ workshopId: shut }, 'refused'), create({ workshopId: gone }, 'refused too'), create()],
  ]);
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.errorCode]),
    [
      ...[
        [201, undefined],
        [403, '000004'],
        [404, '030001'],
        [201, undefined],
      ],
      ...[
        [201, undefined],
        [422, '000008'],
        [403, '000004'],
        [404, '030001'],
        [201, undefined],
      ],
    ],
  );
  assert.deepEqual(answers[4]?.body, first.body);
  assert.ok(batches.some(({ rows }) => rows > 1));
  // Refusals do not fail the statement.
  assert.ok(batches.every(({ isAlone }) => !isAlone));
  const { customers = 0, cars = 0, bookings = 0, events = 0 } = before;
  assert.deepEqual(await rowCounts(app), {
    ...{ customers: customers + 3, cars: cars + 3, bookings: bookings + 3, events: events + 3 },
  });
  // A refusal is not stored.
  assert.equal((await create({}, 'refused')).status, 201);
});

test('a customer whose row another transaction has locked delays only their own bookings', {
  timeout: 30_000,
}, async () => {
  const held = newPhone();
  await book({ customerPhone: held });
  let waiting: Promise<number[]> | undefined;
  await db.transaction(async (tx) => {
    await tx.query('SELECT FROM customer WHERE phone = $1 FOR UPDATE', [held]);
    const statuses = (made: ReturnType<typeof create>[]) =>
      Promise.all(made).then((answers) => answers.map(({ status }) => status));
    waiting = statuses(Array.from({ length: 8 }, () => create({ customerPhone: held })));
    const others = Array.from({ length: 60 }, () => create());
    assert.deepEqual([...new Set(await statuses(others))], [201]);
    // Eight requests use one connection, even when they run alone after their batch timed out.
    await untilBlocked(app, 1, 400);
    // It may be zero for a moment between two turns.
    assert.ok((await blockedConnections(app)) <= 1);
  });
  assert.deepEqual(
    await waiting,
    Array.from({ length: 8 }, () => 201),
  );
});

test('a connection lost in the middle: each caller of the batch gets 503, and one booking each after a repeat', async () => {
  const bodies = Array.from({ length: 40 }, (_, n) => ({ customerPhone: newPhone(), notes: `number ${n}` }));
  const all = () => Promise.all(bodies.map((body, n) => create(body, `cut ${n}`)));
  const before = await rowCounts(app);
  await db.transaction(async (tx) => {
    // Each creation waits for its link after it has written customer, car and booking.
    await tx.query('SELECT FROM link WHERE workshop_id = $1 FOR UPDATE', [workshopId]);
    let answered = false;
    const answers = all().finally(() => {
      answered = true;
    });
    while (!answered) {
      await db.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    }
    for (const answer of await answers) assertProblem(answer, 503, '000007');
  });
  assert.deepEqual(await rowCounts(app), before);
  for (const { status } of await all()) assert.equal(status, 201);
  const again = await all();
  assert.ok(again.every((answer) => answer.headers.get('idempotent-replayed') === 'true'));
  assert.equal((await rowCounts(app))['bookings'], (before['bookings'] ?? 0) + bodies.length);
});
