/** A customer moves or cancels a booking: workshop and customer get notices. */

import { Problem } from '#errors.ts';
import { type Change, type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { type Form, versionOf } from '#platform/pages/form.ts';
import type { Visitor } from '#platform/pages/visitor.ts';
import type { ChangedBooking } from '#product/bookings/hold.ts';
import { changeStatus } from '#product/bookings/status.ts';
import { updateBooking } from '#product/bookings/update.ts';
import { boundVisit, countedAt } from '#product/customer-pages/bounded.ts';
import { reasonAtMost } from './cancel-page.ts';
import type { OpenedBooking } from './open.ts';

type Needed = ChangeContext & Pick<Context, 'config' | 'log'>;

/**
 * Runs the change, and counts it in its commit, if there is one: a resubmitted form changes nothing and does not count. False when the
 * booking has changed since the customer saw it: then it is shown again.
 */
async function bounded(
  context: Needed,
  { shop }: OpenedBooking,
  address: string,
  work: (within: Change['within']) => Promise<ChangedBooking>,
): Promise<boolean> {
  try {
    await change(context, async ({ tx, within }) => {
      const { booking, version, eventId } = await work(within);
      const counted = countedAt(shop, address, booking.customer);
      if (eventId !== null) await boundVisit(tx, context, counted, [{ subjectId: booking.id, version }]);
    });
    return true;
  } catch (error) {
    // Changed since, or completed or cancelled.
    const isStale =
      error instanceof Problem && (error.status === 412 || /^06000[24]$/.test(error.errorCode ?? ''));
    if (isStale) return false;
    throw error;
  }
}

/** False: the booking has changed since. Throws 409 060003 when the time is taken, and 429. */
export function moveByCustomer(
  context: Needed,
  opened: OpenedBooking,
  time: Date,
  form: Form,
  { address, actor }: Visitor,
): Promise<boolean> {
  return bounded(context, opened, address, (within) =>
    updateBooking(within, {
      actor,
      bookingId: opened.booking.id,
      body: { date: time.toISOString() },
      phone: null,
      seen: versionOf(form) ?? 0,
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
  return bounded(context, opened, address, (within) =>
    changeStatus(within, {
      actor,
      bookingId: opened.booking.id,
      status: 'cancelled',
      reason: reason || null,
      notify: true,
      seen: versionOf(form) ?? 0,
    }),
  );
}
