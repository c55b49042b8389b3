/** A customer moves or cancels a booking: workshop and customer get notices. */

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

/** Runs the change; false when the booking has changed since the customer saw it: then it is shown again. */
async function change(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    // Changed since, or completed or cancelled.
    const isStale =
      error instanceof Problem && (error.status === 412 || /^06000[24]$/.test(error.errorCode ?? ''));
    if (isStale) return false;
    throw error;
  }
}

/** Counts the change in its commit, if there is one: a resubmitted form changes nothing and does not count. */
const bounded =
  (context: Needed, { shop }: OpenedBooking, address: string): Alongside<BookingVersion> =>
  (tx, { booking, version }) =>
    boundVisit(tx, context, countedAt(shop, address, booking.customer), [{ subjectId: booking.id, version }]);

const ifMatchOf = (form: Form) => etagOf(versionOf(form) ?? 0);

/** False: the booking has changed since. Throws 409 060003 when the time is taken, and 429. */
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

/** False: the booking has changed since. Throws 429. */
export function cancelByCustomer(
  context: Needed,
  opened: OpenedBooking,
  form: Form,
  { address, actor }: Visitor,
): Promise<boolean> {
  // The page allows no longer text; a character may be two JavaScript code units.
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
