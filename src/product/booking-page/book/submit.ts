/**
 * Makes the booking of a submitted form, with the same checks as POST /bookings by the link's partner, or as one of the workshop's
 * own.
 */
import { createHash } from 'node:crypto';
import { type FieldError, Problem } from '#errors.ts';
import { change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { judgePhone } from '#platform/http/phone-field.ts';
import { valueReader } from '#platform/http/validation.ts';
import { once } from '#platform/idempotency/once.ts';
import { finishClaim } from '#platform/idempotency/store.ts';
import { requireRoom } from '#platform/pages/bounds/bound.ts';
import { foreignPhone } from '#platform/pages/bounds/foreign-phone.ts';
import type { Form } from '#platform/pages/form.ts';
import type { Visitor } from '#platform/pages/visitor.ts';
import { createBooking } from '#product/bookings/create.ts';
import { CreateBookingBody } from '#product/bookings/schema.ts';
import { boundVisit, countedAt } from '#product/customer-pages/bounded.ts';
import { spokenFaults } from './faults.ts';
import { labels } from './fields.ts';
import { faultsOfTyped } from './typed.ts';
import type { Visit, Wanted } from './visit.ts';

const readBooking = valueReader(CreateBookingBody, 'booking');

type Submitted = { readonly bookingId: string } | { readonly errors: readonly FieldError[] };

/** Names every bad field. Throws 429, 409 060003 where the time is taken, and what `createBooking` throws. */
export async function submit(
  context: Context,
  visit: Visit,
  wanted: Wanted,
  time: Date,
  form: Form,
  { address, actor }: Visitor,
): Promise<Submitted> {
  const { shop, prefill, partnerId } = visit;
  const typed = Object.fromEntries(Object.keys(labels).map((name) => [name, form[name] ?? '']));
  const { externalId, reminderCode } = prefill;
  const body = {
    ...typed,
    workshopId: shop.workshopId,
    bookingTime: time.toISOString(),
    ...wishOf(wanted),
    ...(externalId !== undefined && { externalId }),
    ...(reminderCode !== undefined && { reminderCode }),
  };
  const { value, errors: found } = readBooking(body);
  const { phone, found: wrongPhone } = await judgePhone(
    'customerPhone',
    form['customerPhone'],
    async () => shop.country,
  );
  const own = [...faultsOfTyped(form), ...foreignPhone('customerPhone', phone, shop, context.config)];
  const errors = spokenFaults([...found, ...wrongPhone], own, form, shop);
  if (phone === null || errors.length > 0) return { errors };

  const accepted = value as CreateBookingBody;
  // A resubmitted form returns its booking, even beyond the limits.
  const owner = partnerId ?? shop.workshopId;
  const key = keyOf(form['formId'] ?? '', accepted);
  const request = { partnerId: owner, path: '/book', body: accepted, key };
  const counted = countedAt(shop, address, { phone, email: accepted.customerEmail }, true);
  const made = await once<Kept>(context, request, async (claim) => {
    const book = (its: CreateBookingBody): Promise<Kept> =>
      change(context, async ({ tx, within }) => {
        const asked = { partnerId, actor, body: its, phone, claim: null, enforce: 'always' } as const;
        const booking = await createBooking(within, asked);
        if (booking === null) throw new Error('a booking of a page was made without a result');
        const subjectId = booking.id;
        await finishClaim(tx, owner, claim, 201, { booking: { id: subjectId } });
        await boundVisit(tx, context, counted, [{ subjectId, version: 1 }]);
        return { booking };
      });
    await requireRoom(context, counted);
    // The visitor cannot see the reminder's code, so a code that was used or cancelled since is ignored.
    return book(accepted).catch((error: unknown) => {
      if (!isOfReminderCode(error)) throw error;
      return book({ ...accepted, reminderCode: null });
    });
  });
  const { booking } = made.replayed ? (made.body as Kept) : made.result;
  return { bookingId: booking.id };
}

interface Kept {
  readonly booking: { readonly id: string };
}

/** A form that is sent twice makes one booking; if it was changed in between, it makes another. */
function keyOf(formId: string, body: unknown): string {
  return `page ${createHash('sha256')
    .update(`${formId} ${JSON.stringify(body)}`)
    .digest('base64url')}`;
}

const isOfReminderCode = (error: unknown) =>
  error instanceof Problem && error.errors?.some(({ field }) => field === 'reminderCode') === true;

/** A service is filled from the catalogue, which also has its category. */
function wishOf(wanted: Wanted): object {
  if ('category' in wanted) return { serviceCategory: wanted.category };
  return { services: wanted.services.map(({ _id }) => ({ catalogId: _id })) };
}
