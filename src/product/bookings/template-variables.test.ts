import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { customItem } from '#product/catalogue/item.ts';
import { anyCharacter } from '../../../test/fixtures/any-character.ts';
import { wireBooking, workshop } from '../../../test/fixtures/booking-events.ts';
import { bookingVariables } from './template-variables.ts';

it('holds only texts, with an empty text for an unset value', () => {
  const variables = bookingVariables(
    wireBooking({ customer: { ...wireBooking().customer, firstName: null } }),
    workshop,
    'email',
  );
  for (const part of Object.values(variables)) {
    for (const [field, value] of Object.entries(part)) assert.equal(typeof value, 'string', field);
  }
  assert.equal(variables.customer.firstName, '');
  assert.equal(variables.booking.pickupTime, '');
  assert.equal(variables.car.description, '2019 Toyota Corolla');
});

it('lists the services by title, else by code', () => {
  const item = { ...customItem({ catalogCode: 'LOG-60' }), title: null };
  const booking = wireBooking({ services: [item, { ...item, title: 'New tyres' }] });
  assert.equal(bookingVariables(booking, workshop, 'email').booking.services, 'LOG-60, New tyres');
});

it('keeps names on one line, whatever characters they contain', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (name) => {
      const booking = wireBooking({ customer: { ...wireBooking().customer, name } });
      assert.doesNotMatch(
        bookingVariables(booking, workshop, 'email').customer.name,
        /[\p{Cc}\u2028\u2029]/u,
      );
    }),
  );
});

it('shows different times for two bookings an hour apart when daylight saving repeats the hour', () => {
  const shown = (date: string) => {
    const { booking } = bookingVariables(wireBooking({ date, pickupTime: date }), workshop, 'email');
    return [booking.time, booking.dateTime, booking.pickupTime];
  };
  const at = (time: string) => [time, `Sun 5 Apr 2026, ${time}`, `Sun 5 Apr 2026, ${time}`];
  assert.deepEqual(shown('2026-04-04T15:30:00.000Z'), at('2:30 am AEDT'));
  assert.deepEqual(shown('2026-04-04T16:30:00.000Z'), at('2:30 am AEST'));
  assert.deepEqual(shown('2026-04-04T17:30:00.000Z'), at('3:30 am'));
});
