/** The plain page: the workshop's own bookings, for visitors without a partner's link. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, test } from 'node:test';
import { eventsOf } from '../../../../test/fixtures/booking-api.ts';
import { pageVisits } from '../../../../test/fixtures/page-visits.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { until } from '../../../../test/harness/wait.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';

const { app, db, partner, workshopId, shop, newPhone, bookings, use, notices } = await pageVisits();
const slug = 'harbour-motors';
const open = async (path = `/book/${slug}`) => {
  const response = await fetch(`${app.url}${path}`);
  return { status: response.status, text: await response.text() };
};
const set = (columns: string) => db.query(`UPDATE workshop SET ${columns} WHERE id = $1`, [workshopId]);
const plain = { k: '' };

beforeEach(async () => {
  await db.query('TRUNCATE page_use');
  await set('plain_page = true, booking_page = true');
});

test('it makes an own booking, of which customer and workshop get notices and partners see nothing (specification: Booking page 12)', async () => {
  const phone = newPhone();
  assert.match(
    (await open()).text,
    /<li aria-current="step"><span>Service<[\s\S]*What can we do for your car\?/,
  );
  const { status, location, text } = await shop.book(phone, { ...plain, notes: 'Squeaks' });
  assert.equal(status, 303, text);
  const [row] = await db.query<{ id: string; partner: string | null; notes: string }>(
    'SELECT id, partner_id AS partner, notes FROM booking WHERE contact_phone = $1',
    [phone],
  );
  assert.deepEqual([row?.partner, row?.notes], [null, 'Squeaks']);
  const [event] = await eventsOf(app, row?.id ?? '');
  const { payload } = event ?? assert.fail('no event');
  assert.deepEqual([event?.partnerId, payload.notifyCustomer, payload.notifyWorkshop], [null, true, true]);
  const told = await notices('booking_id = $1', [row?.id]);
  const ways = told.map(({ audience, channel, state }) => `${audience} ${channel} ${state}`).sort();
  assert.deepEqual(ways, [
    ...['customer email accepted', 'customer sms accepted'],
    ...['workshop email accepted', 'workshop sms accepted'],
  ]);
  assert.deepEqual((await partner.call('GET', '/bookings')).body.bookings, []);
  assert.equal((await partner.call('GET', `/bookings/${row?.id}`)).status, 404);
  assert.deepEqual((await partner.call('GET', '/events')).body.events, []);
  assert.match((await open(location ?? '')).text, /Thank you, your booking is in/);
});

test('where it is off, or the page is, there is none: the way to one’s booking and the phone are there (specification: Booking page 12)', async () => {
  for (const off of ['plain_page = false', 'plain_page = NULL', 'booking_page = false']) {
    await set(`plain_page = true, booking_page = true`);
    await set(off);
    const { status, text } = await open();
    assert.equal(status, 404, off);
    assert.match(text, /href="tel:\+61355501234"[\s\S]*href="\/book\/harbour-motors\/manage"/);
    const phone = newPhone();
    assert.equal((await shop.book(phone, plain)).status, 404, off);
    assert.equal(await bookings(phone), 0);
  }
});

test('a form that is sent twice, also at once and past a ceiling, makes one booking', async () => {
  const phone = newPhone();
  const form = { ...plain, formId: 'twice' };
  const answers = await Promise.all([1, 2, 3].map(() => shop.book(phone, form)));
  await use('addressAtWorkshop', 20);
  answers.push(await shop.book(phone, form));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
  assert.equal(new Set(answers.map(({ location }) => location)).size, 1);
  assert.equal(await bookings(phone), 1);
  assert.equal((await shop.book(phone, { ...form, customerName: 'Another' })).status, 429, 'another form');
});

test('the last place is had once, also by those who come without a link', async () => {
  await set('bays = 1');
  await db.query('UPDATE workshop SET setup_version = setup_version + 1 WHERE id = $1', [workshopId]);
  const time = shop.times[20] ?? '';
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      shop.book(newPhone(), { ...(n % 2 ? plain : {}), time }, `192.0.2.${n}`),
    ),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [303, ...Array(7).fill(409)]);
  await set('bays = 500, setup_version = setup_version + 1');
});

test('the bounds of what strangers trigger hold: by phone, by address, of the workshop, and of other countries (specification: Booking page 12)', async () => {
  const phone = newPhone();
  for (let n = 0; n < 5; n++) {
    const way = n % 2 ? plain : {};
    assert.equal((await shop.book(phone, way, `198.51.100.${n}`)).status, 303);
  }
  assert.equal((await shop.book(phone, plain, '198.51.100.9')).status, 429);
  assert.equal((await shop.book('+447400123456', plain)).status, 400);
  assert.equal((await shop.book(newPhone(), plain)).status, 303);
  await use('addressAtWorkshop', 20);
  assert.equal((await shop.book(newPhone(), plain)).status, 429);

  await db.query('TRUNCATE page_use');
  const first = newPhone();
  assert.equal((await shop.book(first, plain)).status, 303);
  await use('workshop', app.context.config.pageSmsPerWorkshop);
  const withheld = newPhone();
  assert.equal((await shop.book(withheld, plain, '198.51.100.20')).status, 303);
  await app.drain();
  assert.deepEqual([app.sms.to(first).length, app.sms.to(withheld).length], [1, 0]);
});

test('workshops that exist at the upgrade have it off; of a new one it is open', async () => {
  const { db: older } = await createTestDatabase();
  const context = { db: older, clock: app.clock };
  const folder = new URL('../../../../migrations/', import.meta.url);
  const file = readdirSync(folder).find((name) => name.endsWith('_plain_page.sql')) ?? '';
  await older.query('ALTER TABLE workshop DROP COLUMN plain_page');
  await older.query(
    'ALTER TABLE idempotency ADD CONSTRAINT idempotency_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner (id)',
  );
  await older.query(
    `INSERT INTO workshop (id, name, slug, country, timezone, phone, email, created_at, updated_at)
     SELECT gen_random_uuid(), 'Old', 'old', 'AU', 'Australia/Melbourne', '+61355501234', 'old@old.example', now(), now()`,
  );
  // A process of the previous release is inserting a booking with a key, and continues with its workshop.
  const running = await older.pool.connect();
  await running.query('BEGIN; LOCK TABLE idempotency IN ROW SHARE MODE');
  const upgraded = older.pool.query(readFileSync(new URL(file, folder), 'utf8'));
  await until('the second one waits for the first', async () => {
    const [row] = await older.query<{ waits: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_locks WHERE relation = 'idempotency'::regclass AND NOT granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS waits`,
    );
    return row?.waits === true;
  });
  await running.query('LOCK TABLE workshop IN ROW SHARE MODE; COMMIT');
  running.release();
  await upgraded;
  const fresh = await linkedWorkshop({ context }, []);
  const rows = await older.query('SELECT plain_page FROM workshop ORDER BY id = $1', [fresh]);
  assert.deepEqual(rows, [{ plainPage: false }, { plainPage: null }]);
});
