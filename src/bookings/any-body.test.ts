/** Any body: never a 5xx, and an accepted value is returned as it was sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Booking } from '#bookings/schema.ts';
import { categoryOf, customItem } from '#catalogue/item.ts';
import { normaliseRego } from '#values/rego.ts';
import { anyCharacter } from '../../test/fixtures/any-character.ts';
import { bookingWorld } from '../../test/fixtures/booking-api.ts';
import type { Answer } from '../../test/harness/app.ts';
import { bookingBody } from '../../test/harness/world.ts';

const { partner, workshopId, book, put, read } = await bookingWorld();
const { id: bookingId } = await book();
const runs = { numRuns: 150 };

const names = [
  ...[
    'workshopId',
    'carRego',
    'bookingTime',
    'date',
    'customerName',
    'customerPhone',
    'customerEmail',
    'notes',
  ],
  ...[
    'serviceCategory',
    'services',
    'pickupTime',
    'servicePackageType',
    'customerCompany',
    'jobNotes',
    'interval',
  ],
  ...['productNotes', 'tyreQuantities', 'externalId', 'carVin', 'carMake', 'carModel', 'carYear', 'carBadge'],
  'skipNotification',
];
/** Any character, including control characters and lone surrogates, in any shape. */
const anything = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    '2030-02-30T00:00:00Z',
    '0400000001',
    'a@b.example',
    '١٢٣',
    '\u202e',
    -0,
    1e308,
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(fc.jsonValue({ maxDepth: 1 })),
);
const body = fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 8, noNullPrototype: true });

function assertDecent(answer: Answer, successes: readonly number[]): void {
  const { status } = answer;
  assert.ok(successes.includes(status) || (status >= 400 && status < 500), JSON.stringify(answer.body));
  assert.equal(answer.body.success, successes.includes(status));
  if (status === 400) assert.equal(answer.body.errorCode, '000001');
}

test('POST /bookings: any fields in place of good ones give no 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(body, async (changes) => {
      assertDecent(await partner.call('POST', '/bookings', bookingBody(workshopId, changes)), [201]);
    }),
    runs,
  );
});

test('PUT /bookings/{id}: any fields give no 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(body, async (changes) => assertDecent(await put(bookingId, changes), [200])),
    runs,
  );
});

test('POST and PUT: any JSON gives no 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json({ maxDepth: 4 }), async (text) => {
      const headers = { 'content-type': 'application/json' };
      assertDecent(await partner.call('POST', '/bookings', text, { headers }), [201]);
      assertDecent(await partner.call('PUT', `/bookings/${bookingId}`, text, { headers }), [200]);
    }),
    runs,
  );
});

/** What the decisions say about a text: trimmed, in NFC. Texts here have no control characters and no lone surrogates. */
const sentText = (max: number) =>
  fc.string({ unit: 'grapheme', maxLength: max }).filter((text) => [...text.normalize('NFC')].length <= max);
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
  // Optional and of one line: an empty value counts as absent.
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

test('a valid value is returned as it was sent, by creation, update and read', async () => {
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
