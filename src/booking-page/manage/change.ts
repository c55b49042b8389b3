/** A customer moves or cancels a booking: the workshop gets a notice, and the customer too. */
import { countAttempt } from '#attempts/limit.ts';
import { changeStatus } from '#bookings/status.ts';
import { updateBooking } from '#bookings/update.ts';
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import { etagOf } from '#http/etag.ts';
import type { RateLimit } from '#http/rate-limit.ts';
import type { Form } from '#pages/form.ts';
import { reasonAtMost } from './cancel-page.ts';
import type { OpenedBooking } from './open.ts';

/** Changes of one booking: each sends messages. */
const limit: RateLimit = { policy: 'booking-changes', quota: 10, windowSeconds: 3_600 };

type Needed = Pick<Context, 'db' | 'clock' | 'nudgeRelay'>;

/** The change, unless the booking is another than the customer has seen: then it is shown again. Throws 429. */
async function change(
  context: Needed,
  { booking }: OpenedBooking,
  work: () => Promise<unknown>,
): Promise<boolean> {
  const bound = { limit, refusal: 'This booking was changed many times', source: ['change', booking.id] };
  await countAttempt(context, bound);
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

const ifMatchOf = (form: Form) => etagOf(Number(form['version']) || 0);

/** False: the booking is another by now. Throws 409 060003 where the time is taken, and 429. */
export function moveByCustomer(
  context: Needed,
  opened: OpenedBooking,
  time: Date,
  form: Form,
): Promise<boolean> {
  return change(context, opened, () =>
    updateBooking(context, {
      partnerId: null,
      bookingId: opened.booking.id,
      body: { date: time.toISOString() },
      phone: null,
      ifMatch: ifMatchOf(form),
      enforce: 'always',
    }),
  );
}

/** False: the booking is another by now. Throws 429. */
export function cancelByCustomer(context: Needed, opened: OpenedBooking, form: Form): Promise<boolean> {
  // The page lets nobody type more; a character may be two of JavaScript's.
  const reason = [...(form['reason'] ?? '')].slice(0, reasonAtMost).join('');
  return change(context, opened, () =>
    changeStatus(context, {
      partnerId: null,
      bookingId: opened.booking.id,
      status: 'cancelled',
      reason: reason || null,
      notify: true,
      byCustomer: true,
      ifMatch: ifMatchOf(form),
    }),
  );
}
