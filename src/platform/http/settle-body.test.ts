/** How texts are normalized before they are validated. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, bookingWorld } from '../../../test/fixtures/booking-api.ts';
import { bookingBody } from '../../../test/harness/world.ts';

const { partner, workshopId } = await bookingWorld();

test('control characters are taken out of texts of several lines, and refused in those of one', async () => {
  const dirty = {
    notes: ' \u001b[1mBrakes\u0007\u009b\r\n\tworn\u0085soon \u001b',
    jobNotes: ['a\u007fb', '\u0007'],
  };
  const { status, body } = await partner.call('POST', '/bookings', bookingBody(workshopId, dirty));
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual([body.booking.notes, body.booking.jobNotes], ['[1mBrakes\r\n\tworn\nsoon', ['ab', '']]);
  const { phone } = body.booking.customer;
  const blank = { phone, channels: { sms: { message: '\u0007' } } };
  assertProblem(await partner.call('POST', `/workshops/${workshopId}/messages`, blank), 400, '000001', [
    'channels.sms.message',
  ]);
  const named = bookingBody(workshopId, { customerName: 'a\u001bb' });
  assertProblem(await partner.call('POST', '/bookings', named), 400, '000001', ['customerName']);
});
