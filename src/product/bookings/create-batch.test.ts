/** Bookings created in batches leave the same rows as bookings created one by one, in any mix and with any failure. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { actors } from '#base/values/actor.ts';
import { newBookingCode } from '#base/values/code.ts';
import { newId } from '#base/values/id.ts';
import { violatedConstraint } from '#platform/db/errors.ts';
import { actorValues } from '#platform/events/record.ts';
import { noPlace } from '#product/availability/places/place.ts';
import { bookingWorld } from '../../../test/fixtures/booking-api.ts';
import { watched } from '../../../test/fixtures/watched-database.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { insertBooking, type NewBooking } from './store.ts';

const { app, partner, book } = await bookingWorld();
const { db } = app.context;
const partners = [partner.partnerId, (await signedInPartner(app, 'Another')).partnerId];
const takenCode = (await book()).code;

/** Workshops: open to both partners, open to the first only, and with the second's link switched off. */
async function workshops(): Promise<string[]> {
  const [first, second] = partners.map((partnerId) => ({ partnerId }));
  assert.ok(first && second);
  const found = await Promise.all(
    [[first, second], [first], [first, second]].map((linked) => linkedWorkshop(app, linked)),
  );
  await db.query('UPDATE link SET active = false WHERE workshop_id = $1 AND partner_id = $2', [
    found[2],
    second.partnerId,
  ]);
  return found;
}

const anyCreate = fc.record({
  partner: fc.nat({ max: 1 }),
  workshop: fc.nat({ max: 2 }),
  person: fc.nat({ max: 3 }),
  rego: fc.constantFrom('A', 'B'),
  name: fc.constantFrom('Sam', 'Alex', 'Kim'),
  company: fc.constantFrom(null, 'Acme', 'Fleet'),
  make: fc.constantFrom(null, 'Kia', 'Toyota'),
  vin: fc.constantFrom(null, 'VIN1', 'VIN2'),
  notes: fc.constantFrom(null, 'short', 'x'.repeat(20_000)),
  // The fault of the batch; usually none.
  fate: fc.constantFrom(...Array<string>(40).fill('plain'), 'claimed', 'claimed', 'claim lost', 'code taken'),
  turns: fc.constantFrom(0, 0, 0, 1, 2),
});
type Create = typeof anyCreate extends fc.Arbitrary<infer T> ? T : never;

async function newBooking(
  create: Create,
  index: number,
  workshopIds: readonly string[],
): Promise<NewBooking> {
  const partnerId = partners[create.partner] ?? '';
  const claim = create.fate.startsWith('claim') ? { idempotencyKey: newId(), claimOwner: newId() } : null;
  if (create.fate === 'claimed') {
    await db.query(
      `INSERT INTO idempotency (partner_id, key, fingerprint, owner, leased_until, created_at)
       VALUES ($1, $2, '', $3, clock_timestamp(), $4)`,
      [partnerId, claim?.idempotencyKey, claim?.claimOwner, app.clock.now()],
    );
  }
  return {
    ...{ partnerId, workshopId: workshopIds[create.workshop] ?? '', externalId: `number ${index}` },
    ...actorValues(actors.operator),
    anywayReason: null,
    ...{
      date: new Date('2030-01-01T00:00:00Z'),
      pickupTime: null,
      serviceCategory: 'tyres',
      servicePackageType: null,
    },
    ...{
      services: [{ title: 'Tyres', cost: 19.99 }],
      serviceMinutes: [0],
      serviceCategoryDerived: false,
      setupVersion: null,
      jobNotes: ['a', 'b,"c"'],
      productNotes: [],
      tyreQuantities: 4,
    },
    ...{ customerName: create.name, customerFirstName: create.name, customerLastName: null },
    ...{ customerEmail: `${create.name}@x.example`, customerPhone: `+6140020300${create.person}` },
    ...{ customerCompany: create.company, notes: create.notes, carRego: create.rego, carYear: null },
    ...{ carMake: create.make, carModel: null, carBadge: null, carVin: create.vin },
    ...{ bookingId: newId(), newCustomerId: newId(), newCarId: newId(), eventId: newId() },
    ...{
      notifyCustomer: true,
      notifyWorkshop: index % 2 === 0,
      now: new Date(Date.UTC(2029, 0, 1, 0, 0, index)),
    },
    ...{ code: create.fate === 'code taken' ? takenCode : newBookingCode() },
    ...{ ...noPlace, setupVersion: null },
    ...(claim ?? { idempotencyKey: null, claimOwner: null }),
  };
}

const outcome = (made: ReturnType<typeof insertBooking>) =>
  made.then(
    (row) => (row === null ? 'not linked' : row.booking === null ? `none, link ${row.linkActive}` : 'made'),
    (error) => violatedConstraint(error) ?? String(error),
  );

/** All rows of these workshops, with ids and codes replaced by names, since they differ each time. */
async function left(workshopIds: readonly string[]) {
  const rows = (text: string) =>
    db.query<{ row: unknown }>(text, [workshopIds]).then((all) => all.map(({ row }) => row));
  const place = 'array_position($1::uuid[], w.workshop_id)';
  return {
    customers:
      await rows(`SELECT to_jsonb(w) - '{id,workshop_id}'::text[] || jsonb_build_object('at', ${place}) AS row
      FROM customer w WHERE workshop_id = ANY ($1) ORDER BY ${place}, phone`),
    cars: await rows(`SELECT to_jsonb(w) - '{id,workshop_id,customer_id}'::text[] || jsonb_build_object('at', ${place}, 'of', c.phone) AS row
      FROM car w JOIN customer c ON c.id = w.customer_id WHERE w.workshop_id = ANY ($1) ORDER BY ${place}, c.phone, rego`),
    bookings:
      await rows(`SELECT to_jsonb(w) - '{id,code,workshop_id,customer_id,car_id,changed_in}'::text[] || jsonb_build_object('at', ${place}, 'of', c.phone, 'car', car.rego) AS row
      FROM booking w JOIN customer c ON c.id = w.customer_id JOIN car ON car.id = w.car_id
      WHERE w.workshop_id = ANY ($1) ORDER BY external_id`),
    events:
      await rows(`SELECT jsonb_build_object('kind', kind, 'partner', partner_id, 'version', version, 'at', occurred_at,
        'same', payload->'booking'->>'id' = subject_id::text, 'notify', payload->'notifyWorkshop',
        'booking', (payload->'booking') - '{id,code,carId,customerId,workshopId,car,customer}'::text[],
        'car', (payload->'booking'->'car') - '{id,customerId}'::text[],
        'customer', (payload->'booking'->'customer') - '{id,workshopId}'::text[]) AS row
      FROM event w WHERE workshop_id = ANY ($1) ORDER BY payload->'booking'->>'externalId'`),
  };
}

/** The stored results, each with its booking. */
async function kept(bookings: readonly NewBooking[]) {
  const keys = bookings.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  return db.query(
    `SELECT idempotency.status, b.external_id, body->>'success' AS success FROM idempotency
       LEFT JOIN booking b ON b.id::text = body->'booking'->>'id' WHERE key = ANY ($1) ORDER BY 2`,
    [keys],
  );
}

test('4: any interleaving of creations leaves the same rows, and gives each caller the same response, as one by one', {
  timeout: 110_000,
}, async () => {
  const runs = Number(process.env['BATCH_RUNS'] || 25);
  await fc.assert(
    fc.asyncProperty(fc.array(anyCreate, { minLength: 1, maxLength: 45 }), async (creates) => {
      const [places, samePlaces] = [await workshops(), await workshops()];
      const oneByOne = await Promise.all(creates.map((create, index) => newBooking(create, index, places)));
      const together = await Promise.all(
        creates.map((create, index) => newBooking(create, index, samePlaces)),
      );

      const expected: string[] = [];
      for (const booking of oneByOne) expected.push(await outcome(insertBooking(db, booking)));
      const { watching, batches } = watched(db);
      const pending: Promise<string>[] = [];
      for (const [index, booking] of together.entries()) {
        pending.push(outcome(insertBooking(watching, booking)));
        // Some calls come in later turns of the event loop, while others are in progress.
        for (let turn = creates[index]?.turns ?? 0; turn > 0; turn--) await new Promise(setImmediate);
      }
      assert.deepEqual(await Promise.all(pending), expected);
      assert.deepEqual(await left(samePlaces), await left(places));
      assert.deepEqual(await kept(together), await kept(oneByOne));
      // A failed batch is run again call by call, which would hide an error of the batch.
      const mayFail = creates.some(({ fate }) => fate === 'code taken');
      assert.ok(mayFail || batches.every(({ isAlone }) => !isAlone));
    }),
    { numRuns: runs },
  );
});
