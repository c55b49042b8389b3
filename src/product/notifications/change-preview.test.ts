/** The preview of a change by staff equals the notices that the change sends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { markReady } from '#product/bookings/staff/ready.ts';
import { giveStatus } from '#product/bookings/staff/status.ts';
import { changeOwn } from '#product/bookings/staff/update.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';
import { previewChange, type StaffChange } from './change-preview.ts';

const { app, partner, workshopId, book } = await messagingWorld({
  config: { publicUrl: 'https://pitlane.example' },
});
const { context } = app;
const { db, clock } = context;
const actor = actors.person(newId(), 'r-1');
let number = 0;

async function booked(changes: Readonly<Record<string, unknown>> = {}) {
  const phone = newPhone();
  const email = `sam${++number}@customer.example`;
  const id = await book(phone, { skipNotification: true, customerEmail: email, ...changes });
  await app.drain();
  const { body } = await partner.call('GET', `/bookings/${id}`);
  return { id, phone, email, customerId: String(body.booking.customerId), date: new Date(body.booking.date) };
}

const preview = (bookingId: string, change: StaffChange, where = workshopId) =>
  previewChange(context, { workshopId: where, bookingId, change });
const whyNone = async (bookingId: string, change: StaffChange) => {
  const { sms, email } = await preview(bookingId, change);
  return [sms.none, email.none];
};

type Booked = Awaited<ReturnType<typeof booked>>;
const later = ({ date }: Booked) => new Date(date.getTime() + 86_400_000);
const status = (to: 'confirmed' | 'cancelled', reason?: string) => (one: Booked) =>
  giveStatus(context, one.id, { status: to, reason, notify: true, actor });

const changes: Readonly<Record<string, [(one: Booked) => StaffChange, (one: Booked) => Promise<unknown>]>> = {
  confirm: [() => ({ kind: 'confirmed' }), status('confirmed')],
  cancel: [
    () => ({ kind: 'cancelled', reason: 'The part is late' }),
    status('cancelled', 'The part is late'),
  ],
  move: [
    (one) => ({ kind: 'moved', to: later(one) }),
    (one) =>
      changeOwn(
        context,
        one.id,
        { to: later(one).toISOString() },
        { notify: true, anyway: 'As agreed', actor },
      ),
  ],
  ready: [
    () => ({ kind: 'ready' }),
    ({ id }) => markReady(context, { workshopId, bookingId: id, actor, tellCustomer: true }),
  ],
  'ready, in own words': [
    () => ({ kind: 'ready', text: 'Ring the bell' }),
    ({ id }) =>
      markReady(context, { workshopId, bookingId: id, actor, tellCustomer: true, text: 'Ring the bell' }),
  ],
};

for (const [name, [change, make]] of Object.entries(changes)) {
  test(`${name}: the preview equals the sent notices and their recipients (specification: The front desk 6 and 18)`, async () => {
    const one = await booked();
    const shown = await preview(one.id, change(one));
    await make(one);
    await app.drain();
    const [sms] = app.sms.to(one.phone);
    assert.deepEqual([shown.sms.to, shown.sms.text?.text], [one.phone, sms?.body]);
    const [email] = app.email.to(one.email);
    assert.deepEqual([shown.email.to, shown.email.text?.subject], [email?.to ?? null, email?.subject]);
    const [firstLine = ''] = shown.email.text?.body.split('\n') ?? [];
    assert.ok((email?.text ?? '').includes(firstLine));
    assert.deepEqual([app.sms.to(one.phone).length, shown.email.none === null], [1, email !== undefined]);
  });
}

test('why nothing is sent: no phone or e-mail, an opt-out, an erasure, a bounce, no such notice, an unchanged time (specification: The front desk 6 and 18)', async () => {
  const confirmed = { kind: 'confirmed' } as const;
  const one = await booked();
  assert.deepEqual(await whyNone(one.id, { kind: 'completed' }), ['noNotice', 'noNotice']);
  assert.deepEqual(await whyNone(one.id, { kind: 'moved', to: one.date }), ['noNotice', 'noNotice']);
  assert.deepEqual(await whyNone(one.id, { kind: 'ready' }), [null, 'noNotice']);
  await markReady(context, { workshopId, bookingId: one.id, actor, tellCustomer: true });
  assert.deepEqual(await whyNone(one.id, { kind: 'ready' }), ['toldAlready', 'noNotice']);
  assert.deepEqual(await whyNone(one.id, { kind: 'ready', again: true }), [null, 'noNotice']);
  await db.query('UPDATE customer SET bounced_email = $2 WHERE id = $1', [one.customerId, one.email]);
  assert.deepEqual(await whyNone(one.id, confirmed), [null, 'bounced']);
  await setOptedOut({ db, clock }, one.customerId, true, actor);
  assert.deepEqual(await whyNone(one.id, confirmed), ['optedOut', 'bounced']);
  const exempt = { ...context, config: { ...context.config, optOutExemptCountries: ['AU'] } };
  const despite = await previewChange(exempt, { workshopId, bookingId: one.id, change: confirmed });
  assert.equal(despite.sms.none, null);
  await db.query(`UPDATE booking SET contact_phone = '', contact_email = '' WHERE id = $1`, [one.id]);
  assert.deepEqual(await whyNone(one.id, confirmed), ['noPhone', 'noEmail']);
  await db.query('UPDATE customer SET erased_at = now() WHERE id = $1', [one.customerId]);
  assert.deepEqual(await whyNone(one.id, confirmed), ['erased', 'erased']);
});

test('a booking of another workshop has no preview, and an invalid custom text is refused', async () => {
  const one = await booked();
  const other = await linkedWorkshop(app, [partner]);
  const notFound = (error: unknown) => error instanceof Problem && error.status === 404;
  await assert.rejects(preview(one.id, { kind: 'confirmed' }, other), notFound);
  await assert.rejects(preview(newId(), { kind: 'confirmed' }), notFound);
  await assert.rejects(preview('x', { kind: 'confirmed' }), notFound);
  await assert.rejects(preview(one.id, { kind: 'ready', text: 'pay.evil.com' }), InvalidInput);
});
