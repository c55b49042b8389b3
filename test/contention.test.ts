/**
 * Two processes and the same 100 customers: creates, updates and messages at once make no deadlock. `CONTENTION_SECONDS=30 npm
 * test -- test/contention.test.ts` goes on for longer than the usual 3 seconds.
 */

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import type { Context } from '#platform/context.ts';
import { openDatabase } from '#platform/db/database.ts';
import { createBooking } from '#product/bookings/create.ts';
import type { AnyBooking, UpdateBookingBody } from '#product/bookings/schema.ts';
import { updateBooking } from '#product/bookings/update.ts';
import { secondApp } from './fixtures/second-app.ts';
import { startTestApp } from './harness/app.ts';
import { createTestDatabase } from './harness/database.ts';
import { send as request } from './harness/http.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from './harness/world.ts';

const seconds = Number(process.env['CONTENTION_SECONDS'] || 3);
const customers = 100;

/** PostgreSQL's own counter. A connection reports its counts at the latest when it ends, so the connections are ended. */
async function deadlocksIn(databaseUrl: string): Promise<number> {
  const db = openDatabase({ url: databaseUrl, poolSize: 1, applicationName: 'deadlocks' });
  try {
    for (;;) {
      const [others] = await db.query<{ count: number }>(
        `SELECT count(pg_terminate_backend(pid))::int AS count FROM pg_stat_activity
          WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
      );
      if (others?.count === 0) break;
    }
    const [found] = await db.query<{ deadlocks: number }>(
      'SELECT deadlocks::int AS deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    return found?.deadlocks ?? -1;
  } finally {
    await db.close();
  }
}

test('always: a deadlock is counted, and run again', async () => {
  const { db, url } = await createTestDatabase();
  await db.query('CREATE TABLE pair (id int PRIMARY KEY, times int)');
  await db.query('INSERT INTO pair VALUES (1, 0), (2, 0)');
  let both = Promise.withResolvers<void>();
  let inside = 0;
  const cross = (first: number, second: number) =>
    db.transaction(async (tx) => {
      await tx.query('UPDATE pair SET times = times + 1 WHERE id = $1', [first]);
      if (++inside === 2) both.resolve();
      await both.promise;
      await tx.query('UPDATE pair SET times = times + 1 WHERE id = $1', [second]);
    });
  await Promise.all([cross(1, 2), cross(2, 1)]);
  both = Promise.withResolvers();
  assert.deepEqual(await db.query('SELECT times FROM pair'), [{ times: 2 }, { times: 2 }]);
  // Both may find it at the same moment.
  assert.ok((await deadlocksIn(url)) >= 1);
});

test(`always: creates, updates and messages by two processes for ${seconds} s`, {
  timeout: (seconds + 90) * 1_000,
}, async () => {
  const app = await startTestApp({ sandbox: false });
  const partner = await signedInPartner(app);
  const { partnerId } = partner;
  const actor = actors.partner(partnerId, 'k', 'r');
  const workshopId = await linkedWorkshop(app, [partner]);
  const db = openDatabase({ url: app.databaseUrl, poolSize: 20, applicationName: 'second process' });
  const second = await secondApp(app, { context: { db } });
  const phone = () => `+6140020${1000 + randomInt(customers)}`;
  const made: AnyBooking[] = [];
  const some = () => made[randomInt(made.length)] ?? assert.fail('no booking yet');
  const done = { created: 0, updated: 0, sent: 0 };

  const create = async (context: Context) => {
    const body = bookingBody(workshopId, {
      ...{ carRego: `R${randomInt(3)}`, customerName: `Name ${randomInt(9)}` },
    });
    const booking = await createBooking(context, { partnerId, actor, body, phone: phone(), claim: null });
    made.push(booking ?? assert.fail('no booking'));
    done.created++;
  };
  const update = async (context: Context) => {
    const changes: UpdateBookingBody[] = [
      ...[{ customerPhone: phone() }, { carRego: `R${randomInt(3)}` }],
      ...[{ customerName: `Other ${randomInt(9)}` }, { customerPhone: phone(), carRego: `R${randomInt(3)}` }],
    ];
    const body = changes[randomInt(4)] ?? {};
    const sent = body.customerPhone ?? null;
    await updateBooking(context, { actor, bookingId: some().id, body, phone: sent });
    done.updated++;
  };
  const send = async ({ url }: { url: string }) => {
    const { id, customerId, customer } = some();
    const channels = { sms: { message: 'Your car is ready.' } };
    const to = [
      ...[{ phone: phone() }, { customerId }],
      ...[
        { customerId, bookingId: id },
        { phone: customer.phone, bookingId: id },
      ],
    ];
    const { status, body } = await request(`${url}/workshops/${workshopId}/messages`, 'POST', {
      headers: { authorization: `Bearer ${partner.token}`, 'x-partner-id': partnerId },
      body: { ...to[randomInt(4)], channels, referenceId: `ref ${randomInt(500)}` },
    });
    // A booking that has just moved to another customer, a reference id that is in use, six messages in a second.
    const expected = [200, 400, 409, 429].includes(status);
    assert.ok(
      expected && (status !== 400 || body.errorCode === '060001'),
      `${status} ${JSON.stringify(body)}`,
    );
    if (status === 200) done.sent++;
  };

  const contexts = [app.context, { ...app.context, db }];
  for (const context of contexts) for (let n = 0; n < 20; n++) await create(context);
  const until = performance.now() + seconds * 1_000;
  const clients = async (count: number, work: () => Promise<void>) => {
    const one = async () => {
      while (performance.now() < until) await work();
    };
    await Promise.all(Array.from({ length: count }, one));
  };
  await Promise.all([
    ...contexts.flatMap((context) => [clients(48, () => create(context)), clients(6, () => update(context))]),
    ...[app, second].map((process) => clients(6, () => send(process))),
  ]);
  await second.close();
  await db.close();

  const torn = await app.context.db.query(
    'SELECT FROM booking JOIN car ON car.id = booking.car_id WHERE car.customer_id <> booking.customer_id',
  );
  assert.equal(torn.length, 0);
  for (const [name, count] of Object.entries(done)) assert.ok(count > 5, `${count} ${name}`);
  assert.equal(await deadlocksIn(app.databaseUrl), 0);
});
