/** A preview shows segments, encoding, units left, and the characters that force UCS-2. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newId } from '#values/id.ts';
import { measureSms } from '#values/sms-text.ts';
import { messagingWorld } from '../../test/fixtures/messaging.ts';
import { linkedWorkshop } from '../../test/harness/world.ts';
import { previewTemplate, previewText } from './preview.ts';

const { app, partner, customer, template, book } = await messagingWorld();
const { db } = app.context;

test('a text: encoding, segments, and the units left in its last segment', () => {
  assert.deepEqual(previewText(' Hi '), {
    ...{ text: 'Hi', encoding: 'gsm7', segments: 1, units: 2, perSegment: 160, unitsLeft: 158 },
    ...{ outsideGsm: [], tooLong: false, parts: ['Hi'], warnings: [] },
  });
  const { encoding, segments, unitsLeft, outsideGsm } = previewText(`${'x'.repeat(70)}’“’`);
  assert.deepEqual([encoding, segments, unitsLeft, outsideGsm], ['ucs2', 2, 61, ['’', '“']]);
  assert.deepEqual(
    [previewText('x'.repeat(1_530)).tooLong, previewText('x'.repeat(1_531)).tooLong],
    [false, true],
  );
});

test('warnings name what may break a link, and a link that is cut between segments', () => {
  const warned = (text: string) => previewText(text).warnings;
  assert.deepEqual(warned('See https://a.example/b now'), []);
  assert.match(warned('See https://a.example/b.')[0] ?? '', /ends with \./);
  const long = `https://a.example/${'x'.repeat(140)}`;
  const { parts, warnings } = previewText(`Your car is ready: ${long}`);
  assert.deepEqual([parts.length, parts.join('')], [2, `Your car is ready: ${long}`]);
  assert.match(warnings[0] ?? '', /is cut after part 1/);
  assert.deepEqual(previewText('x'.repeat(161)).parts, ['x'.repeat(153), 'x'.repeat(8)]);
});

test('as many units as are left fit into the last segment, and one more does not', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '€', 'ё', '😀', ' x'), maxLength: 400 });
  fc.assert(
    fc.property(text, (some) => {
      const { segments, unitsLeft, units, perSegment } = measureSms(some);
      // A text that outgrows one segment is split anew.
      if (units <= perSegment && segments === 1) {
        assert.equal(unitsLeft, perSegment - units);
        return;
      }
      assert.equal(measureSms(some + 'x'.repeat(unitsLeft)).segments, segments);
      assert.equal(measureSms(`${some}${'x'.repeat(unitsLeft)}x`).segments, segments + 1);
    }),
  );
});

test('a template, filled with a customer or a booking', async () => {
  const { id, phone } = await customer();
  const templateId = await template('Hi {{ customer.firstName }} of {{ workshop.name }}', { draft: true });
  assert.equal((await previewTemplate(db, { templateId, customerId: id })).text, 'Hi Ava of Harbour Motors');
  const unfilled = await previewTemplate(db, { templateId });
  assert.deepEqual(
    [unfilled.text, unfilled.warnings],
    ['Hi  of Harbour Motors', ['customer.firstName is empty here: name a --customer or --booking']],
  );
  const about = await template('{{ customer.name }}: {{ car.rego }} {{ booking.code }}');
  const bookingId = await book(phone, { customerName: 'Sam Taylor' });
  assert.match(
    (await previewTemplate(db, { templateId: about, bookingId })).text,
    /^Sam Taylor: ABC123 \w{8}$/,
  );
  const { warnings } = await previewTemplate(db, { templateId: about, customerId: id });
  assert.deepEqual(warnings, ['booking.code, car.rego are empty here: name a --booking']);
  assert.match((await previewTemplate(db, { templateId: about, bookingId, customerId: id })).text, /ABC123/);
});

test('template, customer and booking must exist, and belong to one workshop', async () => {
  const templateId = await template('Hi');
  const elsewhere = await linkedWorkshop(app, [partner]);
  const [stranger, other] = [await customer({ workshopId: elsewhere }), await customer()];
  const bookingId = await book((await customer()).phone);
  for (const [named, message] of [
    [{ templateId: newId() }, /there is no template/],
    [{ templateId: 'x' }, /there is no template x/],
    [{ templateId, customerId: newId() }, /there is no customer/],
    [{ templateId, customerId: stranger.id }, /is not one of the template's workshop/],
    [{ templateId, bookingId: newId() }, /has no booking/],
    [{ templateId, bookingId: 'x' }, /has no booking x/],
    [{ templateId, bookingId, customerId: other.id }, /is not one of customer/],
  ] as const) {
    await assert.rejects(previewTemplate(db, named), message);
  }
});
