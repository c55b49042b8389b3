/** The foreign keys of the database separate tenants, whatever a statement does (specification: Partners and workshops 6). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { violatedConstraint } from '#platform/db/errors.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
const { db } = app.context;
const [partner, stranger] = [await signedInPartner(app), await signedInPartner(app)];
const [here, elsewhere] = [await linkedWorkshop(app, [partner]), await linkedWorkshop(app, [stranger])];

async function booked(workshopId: string, by: typeof partner, changes = {}) {
  const answer = await by.call('POST', '/bookings', bookingBody(workshopId, changes));
  assert.equal(answer.status, 201);
  return answer.body.booking as { id: string; carId: string; customerId: string };
}

const own = await booked(here, partner);
const another = await booked(here, partner, { customerPhone: '0491 570 156', carRego: 'OTHER' });
const foreign = await booked(elsewhere, stranger);

const copyText = `
  INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, date, contact_name, contact_email,
    contact_phone, created_at, updated_at)
  SELECT $2::uuid, $3::text, coalesce($4::uuid, partner_id), coalesce($5::uuid, workshop_id), coalesce($6::uuid, customer_id),
    coalesce($7::uuid, car_id), date, contact_name, contact_email, contact_phone, created_at, updated_at
  FROM booking WHERE id = $1`;

interface Other {
  readonly partnerId?: string;
  readonly workshopId?: string;
  readonly customerId?: string;
  readonly carId?: string;
}

/** A copy of the first booking, with some values replaced. */
function copy({ partnerId, workshopId, customerId, carId }: Other = {}): Promise<unknown> {
  const others = [partnerId, workshopId, customerId, carId].map((id) => id ?? null);
  return db.query(copyText, [own.id, newId(), newId(), ...others]);
}

test('the car of a booking belongs to its customer, and the customer to its workshop', async () => {
  await copy();
  for (const other of [
    { carId: another.carId },
    { customerId: another.customerId },
    { carId: foreign.carId },
    { customerId: foreign.customerId },
    { carId: foreign.carId, customerId: foreign.customerId },
    { carId: newId(), customerId: newId() },
  ]) {
    await assert.rejects(
      copy(other),
      (error) => violatedConstraint(error) === 'booking_workshop_id_customer_id_car_id_fkey',
      JSON.stringify(other),
    );
  }
});

test('a booking belongs to a partner that is linked to its workshop', async () => {
  const isOfLink = (error: unknown) => violatedConstraint(error) === 'booking_partner_id_workshop_id_fkey';
  await assert.rejects(copy({ partnerId: stranger.partnerId }), isOfLink);
  await assert.rejects(
    copy({ workshopId: elsewhere, customerId: foreign.customerId, carId: foreign.carId }),
    isOfLink,
  );
});

test('a booked car or customer can neither be deleted nor moved alone', async () => {
  await assert.rejects(db.query('DELETE FROM car WHERE id = $1', [own.carId]), /booking/);
  await assert.rejects(
    db.query('UPDATE car SET customer_id = $2 WHERE id = $1', [own.carId, another.customerId]),
    /booking/,
  );
  await assert.rejects(db.query('DELETE FROM customer WHERE id = $1', [own.customerId]), /car/);
});
