/** An accepted value is returned as it was sent. `test/fuzz.test.ts` shows that no body causes a 5xx. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normaliseRego } from '#base/values/rego.ts';
import type { Booking } from '#product/bookings/schema.ts';
import { categoryOf, customItem } from '#product/catalogue/item.ts';
import { bookingWorld } from '../../../test/fixtures/booking-api.ts';

const { book, put, read } = await bookingWorld();

/** Invisible characters beyond white space: such a text counts as empty, which `src/base/values/text.test.ts` shows. */
const isUnseen = (text: string) =>
  text.trim() !== '' && /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+$/u.test(text);
/** The stored form of a text: trimmed, in NFC. Texts here have no control characters and no lone surrogates. */
const sentText = (max: number) =>
  fc
    .string({ unit: 'grapheme', maxLength: max })
    .filter((text) => [...text.normalize('NFC')].length <= max && !isUnseen(text));
const kept = (text: string) => text.normalize('NFC').trim();
const word = (max: number) => sentText(max).filter((text) => kept(text) !== '');
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const cents = fc.integer({ min: 0, max: 999_999_999 }).map((amount) => amount / 100);
const moment = fc.date({
  min: new Date('1900-01-02T00:00:00Z'),
  max: new Date('2199-12-30T00:00:00Z'),
  noInvalidDate: true,
});

const good = fc.record({
  date: moment.map((date) => date.toISOString()),
  customerName: word(255),
  // Upper case may be three times as long, and must be accepted when it is sent back.
  carRego: word(10),
  customerPhone: fc.integer({ min: 400_000_000, max: 400_009_999 }).map((number) => `+61${number}`),
  customerEmail: fc.stringMatching(/^[a-z0-9]{1,20}@[a-z0-9]{1,20}\.example$/),
  customerCompany: maybe(sentText(255)),
  serviceCategory: maybe(fc.constantFrom('service', 'tyres', 'repair', 'others')),
  servicePackageType: maybe(sentText(64)),
  pickupTime: maybe(moment.map((date) => date.toISOString())),
  notes: maybe(sentText(2_000)),
  jobNotes: fc.array(sentText(200), { maxLength: 5 }),
  productNotes: fc.array(sentText(200), { maxLength: 5 }),
  tyreQuantities: maybe(fc.integer({ min: 0, max: 1_000 })),
  services: fc.array(
    fc
      .record({
        catalogCode: maybe(sentText(64)),
        title: maybe(sentText(255)),
        category: maybe(sentText(64)),
        cost: maybe(cents),
        maxCost: maybe(cents),
      })
      .filter(({ catalogCode, title }) => kept(catalogCode ?? '') !== '' || kept(title ?? '') !== ''),
    { maxLength: 5 },
  ),
});
type Good = typeof good extends fc.Arbitrary<infer T> ? T : never;

function assertKept(booking: Booking, sent: Good): void {
  const text = (value: string | null) => (value === null ? null : kept(value));
  // Optional, one line: an empty value counts as absent.
  const line = (value: string | null) => text(value) || null;
  const services = sent.services.map((item) =>
    customItem({
      ...item,
      ...{ catalogCode: line(item.catalogCode), title: line(item.title), category: line(item.category) },
    }),
  );
  const { customer, car, customerCompany, serviceCategory, servicePackageType, pickupTime, notes } = booking;
  assert.deepEqual(
    {
      date: booking.date,
      customerName: customer.name,
      carRego: car.rego,
      customerPhone: customer.phone,
      customerEmail: customer.email,
      ...{ customerCompany, serviceCategory, servicePackageType, pickupTime, notes },
      jobNotes: booking.jobNotes,
      productNotes: booking.productNotes,
      tyreQuantities: booking.tyreQuantities,
      services: booking.services,
    },
    {
      ...sent,
      carRego: normaliseRego(sent.carRego),
      customerName: kept(sent.customerName),
      customerCompany: line(sent.customerCompany),
      servicePackageType: line(sent.servicePackageType),
      notes: text(sent.notes),
      jobNotes: sent.jobNotes.map(kept),
      productNotes: sent.productNotes.map(kept),
      services,
      serviceCategory: sent.serviceCategory ?? categoryOf(services),
    },
  );
}

test('create, update and read return a valid value as it was sent', async () => {
  const { id } = await book();
  await fc.assert(
    fc.asyncProperty(good, async (sent) => {
      const { date: bookingTime, ...rest } = sent;
      assertKept(await book({ ...rest, bookingTime }), sent);
      const answer = await put(id, sent);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assertKept(answer.body.booking, sent);
      // A client that sends back what it has read changes nothing.
      const tag = answer.headers.get('etag');
      const again = await put(id, { ...answer.body.booking, carRego: answer.body.booking.car.rego });
      assert.deepEqual([again.headers.get('etag'), again.body.booking], [tag, answer.body.booking]);
      assert.deepEqual(await read(id), answer.body.booking);
    }),
    { numRuns: 100 },
  );
});
