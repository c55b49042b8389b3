/** The office of two workshops for browser tests: one has a busy day, the other one bay. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { writeSetup } from '#product/availability/set-up/import.ts';
import { defaultSettings } from '#product/availability/set-up/setup.ts';
import { baseOf, type Person, signedInPerson } from '../fixtures/office.ts';
import { startTestApp, type TestApp } from '../harness/app.ts';
import { bookingBody, linkedWorkshop, type SignedInPartner, signedInPartner } from '../harness/world.ts';
import { desk, refusals } from './customer.ts';
import { type Visit, visit } from './visit.ts';

export interface Office {
  readonly app: TestApp;
  readonly partner: SignedInPartner;
  /** Of both workshops. */
  readonly owner: Person;
  /** The places of a workshop with one bay, whose bookings must fit free times, and its id. */
  readonly strict: string;
  readonly strictId: string;
  /** The places of a workshop with a busy day, the ids of its bookings, and one of its customers. */
  readonly busy: string;
  readonly bookings: readonly string[];
  readonly customerId: string;
  /** Another customer of that workshop. */
  readonly otherCustomerId: string;
  /** One who wants no SMS. */
  readonly optedOutId: string;
}

/** It is Monday 4 March 2030, 10:10 in Melbourne. */
export async function startOffice(): Promise<Office> {
  const app = await startTestApp();
  app.clock.setAdvance(Math.round((Date.parse('2030-03-03T23:10:00Z') - Date.now()) / 1_000));
  const partner = await signedInPartner(app);
  const busyId = await linkedWorkshop(app, [partner], { colour: '#0f766e' });
  const strictId = await linkedWorkshop(app, [partner], { name: 'One Bay' });
  const { db } = app.context;
  await db.transaction(async (tx) => {
    const settings = { ...defaultSettings, bays: 1, enforceAvailability: true };
    await writeSetup(tx, strictId, { settings }, app.clock.now());
    await writeSetup(tx, busyId, { settings: { ...defaultSettings, bays: 4 } }, app.clock.now());
  });
  const bookings = await fillDay({ app, partner }, busyId);
  const [customer, other] = await db.query<{ id: string }>('SELECT id FROM customer ORDER BY id LIMIT 2', []);
  const [optedOut] = await db.query<{ id: string }>(
    'UPDATE customer SET opted_out_at = now() WHERE id = (SELECT customer_id FROM booking WHERE id = $1) RETURNING id',
    [bookings.at(-1)],
  );
  const owner = await signedInPerson(app, [busyId, strictId]);
  const [busy, strict] = await Promise.all([baseOf(app, busyId), baseOf(app, strictId)]);
  const ids = {
    ...{ customerId: customer?.id ?? '', otherCustomerId: other?.id ?? '' },
    optedOutId: optedOut?.id ?? '',
  };
  return { app, partner, owner, strict, strictId, busy, bookings, ...ids };
}

/** Twelve bookings of one day in all states; returns their ids, the last are pending and to come. */
async function fillDay(
  { app, partner }: Pick<Office, 'app' | 'partner'>,
  workshopId: string,
): Promise<string[]> {
  const names = ['Sam Taylor', 'Kim Lee', 'Priya Nair', 'Jo Baker', 'Ali Hassan', 'Mia Rossi'];
  const ids: string[] = [];
  for (const n of Array(12).keys()) {
    const { status, body } = await partner.call(
      'POST',
      '/bookings',
      bookingBody(workshopId, {
        bookingTime: new Date(Date.parse('2030-03-03T23:15:00Z') + n * 20 * 60_000).toISOString(),
        customerName: names[n % names.length],
        carRego: `AB${n}1CD`,
        customerPhone: `04915700${10 + n}`,
        notes: 'Brakes squeal',
        services: [{ title: n % 2 ? 'Logbook service' : 'New tyres' }],
      }),
    );
    assert.equal(status, 201, JSON.stringify(body));
    ids.push(body.booking.id);
  }
  const states = ['collected', 'here', 'ready', 'here', 'didNotCome', 'expected'];
  const { db } = app.context;
  await db.query(
    `INSERT INTO attendance (booking_id, state, actor, at)
     SELECT its, state, 'x', now() FROM unnest($1::uuid[], $2::text[]) AS made (its, state)`,
    [ids.slice(0, states.length), states],
  );
  const statuses = [
    'completed',
    'confirmed',
    'confirmed',
    'confirmed',
    'confirmed',
    'confirmed',
    'cancelled',
  ];
  await db.query(
    `UPDATE booking SET status = given FROM unnest($1::uuid[], $2::text[]) AS made (its, given) WHERE id = its`,
    [ids.slice(0, statuses.length), statuses],
  );
  // The first three were due before it is now: one is late.
  await db.query(
    `UPDATE booking SET date = date - interval '2 hours', occupied_from = occupied_from - interval '2 hours',
       occupied_until = occupied_until - interval '2 hours' WHERE id = ANY($1::uuid[])`,
    [[...ids.slice(0, 3), ids[5]]],
  );
  await app.drain();
  return ids;
}

/** Opens a place of the console in a browser of its own, signed in as `person`; null: as nobody. */
export async function openConsole(
  browser: Browser,
  { app, owner }: Pick<Office, 'app' | 'owner'>,
  path: string,
  options: BrowserContextOptions = desk,
  person: Person | null = owner,
): Promise<Visit> {
  const cookies = person === null ? [] : [cookieOf(app, person)];
  return visit(
    browser,
    `${app.url}${path}`,
    { ...options, storageState: { cookies, origins: [] } },
    refusals,
  );
}

function cookieOf({ url }: TestApp, { cookie }: Person) {
  const [name = '', value = ''] = cookie.split('=');
  return {
    ...{ name, value, domain: new URL(url).hostname, path: '/', expires: -1 },
    ...{ httpOnly: true, secure: false, sameSite: 'Lax' as const },
  };
}

/** Waits until the region that speaks of one's own actions has this text, or words that match. */
export const says = (page: Page, text: string | RegExp) =>
  page
    .getByRole('status')
    .filter({ hasText: text instanceof RegExp ? text : new RegExp(`^${text}$`) })
    .waitFor({ state: 'attached' });
