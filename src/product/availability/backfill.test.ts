/** What old bookings occupy after the migration that introduces availabilities. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const folder = new URL('../../../migrations/', import.meta.url);
const name = readdirSync(folder).find((file) => file.endsWith('_booking_occupied.sql')) ?? '';
const migration = readFileSync(new URL(name, folder), 'utf8');

const app = await startTestApp();
const { db } = app.context;
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);

async function book(changes: object): Promise<string> {
  const { status, body } = await partner.call('POST', '/bookings', bookingBody(workshopId, { ...changes }));
  assert.equal(status, 201);
  return body.booking.id;
}

test('half an hour from their date; nothing when they are past or cancelled', async () => {
  const date = '2090-03-02T22:30:00.000Z';
  const plain = await book({ bookingTime: date });
  const categorised = await book({ bookingTime: date, serviceCategory: 'tyres' });
  const services = [{ title: 'Oil', category: 'service' }, { catalogCode: 'x' }];
  const served = await book({ bookingTime: date, serviceCategory: 'tyres', services });
  const past = await book({ bookingTime: '2020-03-02T22:30:00Z' });
  const cancelled = await book({ bookingTime: date });
  await db.query(`UPDATE booking SET status = 'cancelled' WHERE id = $1`, [cancelled]);
  await db.pool.query(
    `UPDATE booking SET occupied_from = NULL, occupied_until = NULL, counted_services = NULL, counted_categories = NULL`,
  );
  await db.pool.query(`BEGIN; ${migration}; COMMIT`);

  const rows = await db.query<{
    id: string;
    from: Date | null;
    minutes: number | null;
    items: string | null;
  }>(
    `SELECT id, occupied_from AS "from", (extract(epoch FROM occupied_until - occupied_from) / 60)::int AS minutes,
            counted_services::text || ' ' || counted_categories::text AS items FROM booking`,
  );
  const found = new Map(
    rows.map(({ id, from, minutes, items }) => [id, [from?.toISOString(), minutes, items]]),
  );
  assert.deepEqual(found.get(plain), [date, 30, '{} {}']);
  assert.deepEqual(found.get(categorised), [date, 30, '{NULL} {tyres}']);
  assert.deepEqual(found.get(served), [date, 30, '{NULL,NULL} {service,others}']);
  for (const id of [past, cancelled]) assert.deepEqual(found.get(id), [undefined, null, null]);
});
