/** A customer moves or cancels a booking: the workshop gets a notice, and the customer too. */

import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { etagOf } from '#platform/http/etag.ts';
import { type Form, versionOf } from '#platform/pages/form.ts';
import type { Visitor } from '#platform/pages/visitor.ts';
import { changeStatus } from '#product/bookings/status.ts';
import type { BookingVersion } from '#product/bookings/store.ts';
import { updateBooking } from '#product/bookings/update.ts';
import { boundVisit, countedAt } from '#product/customer-pages/bounded.ts';
import { reasonAtMost } from './cancel-page.ts';
import type { OpenedBooking } from './open.ts';

type Needed = Pick<Context, 'db' | 'clock' | 'nudgeRelay' | 'config' | 'log'>;

/** The change, unless the booking is another than the customer has seen: then it is shown again. */
async function change(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    // Changed meanwhile, or completed or cancelled.
    const isStale =
      error instanceof Problem && (error.status === 412 || /^06000[24]$/.test(error.errorCode ?? ''));
    if (isStale) return false;
    throw error;
  }
}

/** Counts the change in its commit, where there is one: a form that is sent again, and finds it done, counts nothing. */
const bounded =
  (context: Needed, { shop }: OpenedBooking, address: string): Alongside<BookingVersion> =>
  (tx, { booking, version }) =>
    boundVisit(tx, context, countedAt(shop, address, booking.customer), [{ subjectId: booking.id, version }]);

const ifMatchOf = (form: Form) => etagOf(versionOf(form) ?? 0);

/** False: the booking is another by now. Throws 409 060003 where the time is taken, and 429. */
export function moveByCustomer(
  context: Needed,
  opened: OpenedBooking,
  time: Date,
  form: Form,
  { address, actor }: Visitor,
): Promise<boolean> {
  return change(() =>
    updateBooking(context, {
      actor,
      bookingId: opened.booking.id,
      body: { date: time.toISOString() },
      phone: null,
      ifMatch: ifMatchOf(form),
      alongside: bounded(context, opened, address),
      enforce: 'always',
    }),
  );
}

/** False: the booking is another by now. Throws 429. */
export function cancelByCustomer(
  context: Needed,
  opened: OpenedBooking,
  form: Form,
  { address, actor }: Visitor,
): Promise<boolean> {
  // The page lets nobody type more; a character may be two of JavaScript's.
  const reason = [...(form['reason'] ?? '')].slice(0, reasonAtMost).join('');
  return change(() =>
    changeStatus(context, {
      actor,
      bookingId: opened.booking.id,
      status: 'cancelled',
      reason: reason || null,
      notify: true,
      ifMatch: ifMatchOf(form),
      alongside: bounded(context, opened, address),
    }),
  );
}
