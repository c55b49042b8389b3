/** The customer and booking that a request names; shared by messages, reminders, and triggers of automations. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOr, newId, nilId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { startTestApp } from '../../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../../test/harness/world.ts';
import { phoneOf, requireTheirs } from './named.ts';
import { readNamed } from './store.ts';

const app = await startTestApp();
const { context } = app;
const { db } = context;
const [partner, another] = [await signedInPartner(app), await signedInPartner(app)];
const [workshopId, elsewhere] = [
  await linkedWorkshop(app, [partner, another]),
  await linkedWorkshop(app, [partner]),
];
const { partnerId } = partner;

async function book(by: typeof partner, at: string, customerPhone: string) {
  const answer = await by.call(
    'POST',
    '/bookings',
    bookingBody(at, { customerPhone, skipNotification: true }),
  );
  assert.equal(answer.status, 201);
  const { id, customerId } = answer.body.booking;
  return { bookingId: id as string, customerId: customerId as string };
}

const sam = '+61491570156';
const [theirs, kims] = [
  await book(partner, workshopId, sam),
  await book(partner, workshopId, '+61491570157'),
];
const [ofAnother, far] = [await book(another, workshopId, sam), await book(partner, elsewhere, sam)];

interface Sent {
  readonly customerId?: string;
  readonly phone?: string;
  readonly bookingId?: string;
}

const read = ({ customerId, phone = '', bookingId }: Sent) =>
  readNamed(db, {
    ...{ partnerId, workshopId, bookingId: idOr(bookingId, null) },
    ...{ customerId: idOr(customerId, null), phone: phone || null },
  });

async function refusal(sent: Sent, isRepeat = false): Promise<string | null> {
  const naming = { customerId: idOr(sent.customerId, null), bookingId: idOr(sent.bookingId, null) };
  const row = await read(sent);
  try {
    requireTheirs(row, naming, isRepeat);
    return null;
  } catch (error) {
    assert.ok(error instanceof Problem);
    return `${error.status} ${error.errorCode}`;
  }
}

test('the customer: by id, which takes precedence, else by phone; not of another workshop, and not an erased one', async () => {
  const { customerId } = theirs;
  assert.equal((await read({ customerId, phone: '+61491570157' })).customerId, customerId);
  assert.equal((await read({ phone: sam })).customerId, customerId);
  assert.deepEqual(
    [(await read({ phone: '+61491570158' })).customerId, await refusal({ phone: '+61491570158' })],
    [null, null],
  );
  for (const unknown of [newId(), 'x', '', nilId, far.customerId]) {
    assert.equal(await refusal({ customerId: unknown, phone: sam }), '404 040001', unknown);
    assert.equal(
      await refusal({ customerId: unknown, bookingId: theirs.bookingId }, true),
      '404 040001',
      unknown,
    );
  }
  const { customerId: gone } = await book(partner, workshopId, '+61491570159');
  await db.query('UPDATE customer SET phone = NULL WHERE id = $1', [gone]);
  assert.equal(await refusal({ customerId: gone }), '404 040001');
});

test('the booking: this partner’s, of this workshop and this customer; not checked for a repeat', async () => {
  for (const whom of [{ customerId: theirs.customerId }, { phone: sam }]) {
    for (const [bookingId, wanted] of [
      [theirs.bookingId, null],
      [theirs.bookingId.toUpperCase(), null],
      [kims.bookingId, '400 060001'],
      ...[ofAnother.bookingId, far.bookingId, newId(), 'x'].map((id) => [id, '404 060001'] as const),
    ] as const) {
      assert.equal(await refusal({ ...whom, bookingId }), wanted, bookingId);
      assert.equal(await refusal({ ...whom, bookingId }, true), null, bookingId);
    }
  }
  assert.equal(await refusal({ phone: '+61491570158', bookingId: theirs.bookingId }), '400 060001');
  assert.ok((await read({ phone: sam, bookingId: theirs.bookingId })).bookingDate instanceof Date);
});

test('the phone: in any form of the workshop’s country, ignored beside an id; earlier checks come first', async () => {
  const of = (sent: { customerId?: string; phone: string }, judge?: () => Promise<void>) =>
    phoneOf(context, { partnerId, workshopId, field: 'customerPhone', customerId: null, ...sent }, judge);
  assert.equal(await of({ phone: '0491 570 156' }), sam);
  assert.equal(await of({ customerId: newId(), phone: 'x' }), null);
  const bad = (error: Problem) =>
    error.errors?.[0]?.field === 'customerPhone' && error.errorCode === '000001';
  for (const phone of ['x', '']) await assert.rejects(of({ phone }), bad);
  const first = async () => {
    throw new Problem('000003');
  };
  await assert.rejects(of({ phone: 'x' }, first), ({ errorCode }: Problem) => errorCode === '000003');
  assert.equal(await of({ phone: sam }, first), sam);
});
