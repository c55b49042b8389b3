import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { parsePhone } from '#base/values/phone.ts';
import { exampleIds } from '#platform/http/openapi-examples.ts';
import { readAvailability } from '#product/availability/read.ts';
import { exportWorkshop } from '#product/availability/set-up/export.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { readServices } from '#product/catalogue/read.ts';
import { listCustomers } from '#product/customers/store.ts';
import { createPartner } from '#product/partners/create.ts';
import { deleteKey } from '#product/partners/keys.ts';
import { verifySecret } from '#product/partners/secret.ts';
import { setPartnerStatus } from '#product/partners/status.ts';
import { listPartners } from '#product/partners/store.ts';
import { listPublishedTemplates, listTemplates } from '#product/templates/store.ts';
import { createWorkshop } from '#product/workshops/create.ts';
import { listWorkshops } from '#product/workshops/store.ts';
import { testClock } from '../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { demoCredentials, demoExamples, ensureDemo } from './demo.ts';

const clock = testClock('2030-01-15T00:00:00Z');

/** The sandbox treats these specially: nobody in the demo may have one. */
const magic = ['491570156', '491570157', '491570158', '491570159', '491570110', '355500159'].map(
  (rest) => `+61${rest}`,
);

test('the demo is a small world: a partner, its workshops, people with cars, templates', async () => {
  const { db } = await createTestDatabase();
  const credentials = await ensureDemo({ db, clock });
  assert.ok(credentials);

  const partners = await listPartners(db, null, 100);
  assert.deepEqual(
    partners.map(({ partnerId, isDemo, appKeys }) => ({ partnerId, isDemo, appKeys })),
    [{ partnerId: credentials.partnerId, isDemo: true, appKeys: [credentials.appKey] }],
  );
  const [key] = await db.query<{ hash: string }>('SELECT secret_hash AS hash FROM app_key');
  assert.equal(await verifySecret(credentials.secret, key?.hash ?? ''), true);

  const workshops = await listWorkshops(db, { partnerId: null, after: null, limit: 100 });
  assert.equal(new Set(workshops.map((workshop) => workshop.timezone)).size, workshops.length);
  assert.equal(workshops[0]?.workshopId, credentials.workshopId);
  for (const workshop of workshops) {
    assert.deepEqual(workshop.partnerIds, [credentials.partnerId]);
    assert.equal(parsePhone(workshop.phone, workshop.country), workshop.phone);
    const { workshopId } = workshop;
    const published = await listPublishedTemplates(db, { workshopId, after: null, limit: 10 });
    assert.deepEqual(published.map((template) => template.requiresBooking).toSorted(), [false, true]);
    assert.ok((await listTemplates(db, workshopId)).some((template) => template.status === 'draft'));
  }

  const customers = await listCustomers(db, { workshopId: null, phone: null, after: null, limit: 100 });
  const cars = await db.query<{ id: string }>('SELECT DISTINCT customer_id AS id FROM car');
  assert.equal(cars.length, customers.length);
  assert.ok(customers.length >= 3);
  for (const { phone } of customers) {
    assert.ok(phone && parsePhone(phone, 'AU') === phone && !magic.includes(phone), `${phone}`);
  }
});

test('the workshops of the demo have hours, bays and a catalogue', async () => {
  const { db } = await createTestDatabase();
  const credentials = await ensureDemo({ db, clock });
  const { partnerId = '', workshopId = '' } = credentials ?? {};
  const { services } = await readServices(db, partnerId, workshopId);
  assert.ok(services.length >= 12);
  assert.equal(services[0]?._id, exampleIds.service);
  const { days } = await readAvailability({ db, clock }, { partnerId, workshopId });
  assert.ok(days.filter(({ slots }) => slots.length > 0).length >= 5);
  // It is as an import would have left it.
  const exported = await exportWorkshop(db, workshopId);
  await importWorkshop({ db, clock }, JSON.stringify(exported), actors.operator);
  assert.deepEqual(await exportWorkshop(db, workshopId), exported);
});

test('a second start changes nothing and shows the same credentials', async () => {
  const { db } = await createTestDatabase();
  const first = await ensureDemo({ db, clock });
  await createWorkshop(
    { db, clock },
    {
      name: 'Mine',
      country: 'AU',
      timezone: 'Australia/Perth',
      phone: '0491570006',
      email: 'a@b.example',
    },
    actors.operator,
  );
  const before = await listWorkshops(db, { partnerId: null, after: null, limit: 100 });
  assert.deepEqual(await ensureDemo({ db, clock }), first);
  assert.deepEqual(await demoCredentials(db), first);
  assert.deepEqual(await listWorkshops(db, { partnerId: null, after: null, limit: 100 }), before);
});

test("there is no demo beside an operator's own partners", async () => {
  const { db } = await createTestDatabase();
  await createPartner({ db, clock }, 'Real', actors.operator);
  assert.equal(await ensureDemo({ db, clock }), null);
  assert.deepEqual(await listWorkshops(db, { partnerId: null, after: null, limit: 100 }), []);
});

test('credentials that no longer work are not shown', async () => {
  const { db } = await createTestDatabase();
  const credentials = await ensureDemo({ db, clock });
  assert.ok(credentials);
  const { partnerId, appKey } = credentials;
  await setPartnerStatus({ db, clock }, partnerId, 'suspended', actors.operator);
  assert.equal(await demoCredentials(db), null);
  await setPartnerStatus({ db, clock }, partnerId, 'active', actors.operator);
  assert.deepEqual(await demoCredentials(db), credentials);
  await deleteKey({ db, clock }, partnerId, appKey, actors.operator);
  assert.equal(await ensureDemo({ db, clock }), null);
});

test('the three lines work one after the other in a shell', () => {
  const credentials = { partnerId: 'P', appKey: 'K', secret: 'S', workshopId: 'W' };
  const lines = demoExamples('http://localhost:3000', credentials, clock.now());
  for (const line of lines) assert.ok(!line.includes('\n'));
  // In place of the server: keeps what it is asked, answers what a sign-in answers.
  const curl = `curl() { printf '%s\\n' "$@" >&2; printf '%s' '{"refreshToken":"no","token":"ptl_at_1","expiresIn":172800}'; }`;
  const ran = execFileSync('bash', ['-c', `exec 2>&1; ${curl}\n${lines.join('\n')}`], {
    encoding: 'utf8',
  }).split('\n');
  assert.ok(ran.includes('ptl_at_1'));
  assert.equal(ran.filter((line) => line === 'Authorization: Bearer ptl_at_1').length, 2);
  const bodies = ran
    .filter((line) => line.startsWith('{"') && !line.includes('expiresIn'))
    .map((line) => JSON.parse(line));
  assert.equal(bodies.length, 3);
  const [signIn, booking, message] = bodies;
  assert.deepEqual(signIn, { appKey: 'K', secret: 'S' });
  assert.deepEqual([booking.workshopId, booking.bookingTime], ['W', '2030-01-22T23:00:00Z']);
  assert.equal(message.phone, booking.customerPhone);
  const paths = ran.filter((line) => line.startsWith('http')).map((line) => new URL(line).pathname);
  assert.deepEqual(paths, ['/auth/token', '/bookings', '/workshops/W/messages']);
});
