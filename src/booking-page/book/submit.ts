/** Books what a visitor has filled in: the same checks and the same booking as POST /bookings by the link's partner. */
import { createHash } from 'node:crypto';
import { countAttempt } from '#attempts/limit.ts';
import { createBooking } from '#bookings/create.ts';
import { type Booking, CreateBookingBody } from '#bookings/schema.ts';
import type { Context } from '#context.ts';
import { type FieldError, Problem } from '#errors.ts';
import { judgePhone } from '#http/phone-field.ts';
import type { RateLimit } from '#http/rate-limit.ts';
import { readValue } from '#http/validation.ts';
import { once } from '#idempotency/once.ts';
import type { Form } from '#pages/form.ts';
import { networkOf } from '#values/network.ts';
import { labels } from './details-page.ts';
import type { Visit, Wanted } from './visit.ts';

/** Bookings of one address. */
const limit: RateLimit = { policy: 'page-bookings', quota: 20, windowSeconds: 3_600 };

type Submitted = { readonly bookingId: string } | { readonly errors: readonly FieldError[] };

/** Names every bad field. Throws 429, 409 060003 where the time is taken, and what `createBooking` throws. */
export async function submit(
  context: Context,
  visit: Visit,
  wanted: Wanted,
  time: Date,
  form: Form,
  address: string,
): Promise<Submitted> {
  const { shop, link } = visit;
  const typed = Object.fromEntries(Object.keys(labels).map((name) => [name, form[name] ?? '']));
  const { externalId, reminderCode } = link.prefill;
  const body = {
    ...typed,
    workshopId: shop.workshopId,
    bookingTime: time.toISOString(),
    ...wishOf(wanted),
    ...(externalId !== undefined && { externalId }),
    ...(reminderCode !== undefined && { reminderCode }),
  };
  const { value, errors: found } = readValue(CreateBookingBody, body, 'booking');
  const { phone, found: wrongPhone } = await judgePhone(
    'customerPhone',
    form['customerPhone'],
    async () => shop.country,
  );
  const errors = [
    ...found,
    ...wrongPhone.map(({ field }) => ({ field, message: 'is not a phone number, such as 0400 000 001' })),
  ];
  if (phone === null || errors.length > 0) return { errors: inFormOrder(errors).map(spoken) };

  const bound = {
    limit,
    refusal: 'There were many bookings from here',
    source: ['booking', networkOf(address)],
  };
  await countAttempt(context, bound);
  const { partnerId } = link;
  const book = (sent: CreateBookingBody) => {
    const request = { partnerId, path: '/book', body: sent, key: keyOf(form['formId'] ?? '', sent) };
    return once(context, request, (claim) =>
      createBooking(context, { partnerId, body: sent, phone, claim, enforce: 'always' }),
    );
  };
  const { reminderCode: _, ...withoutCode } = value as CreateBookingBody;
  const made = await book(value as CreateBookingBody).catch((error) => {
    if (isUsedCode(error)) return book(withoutCode);
    throw error;
  });
  const booking = made.replayed ? (made.body as { booking: Booking }).booking : made.result;
  return { bookingId: booking.id };
}

/** The reminder was answered or cancelled since the page was opened: the visitor books all the same. */
const isUsedCode = (error: unknown) =>
  error instanceof Problem && error.errors?.length === 1 && error.errors[0]?.field === 'reminderCode';

/** A form that is sent twice makes one booking; one that was changed in between makes another. */
function keyOf(formId: string, body: unknown): string {
  return `page ${createHash('sha256')
    .update(`${formId} ${JSON.stringify(body)}`)
    .digest('base64url')}`;
}

/** A service fills itself in from the catalogue, and brings its category. */
function wishOf(wanted: Wanted): object {
  if ('category' in wanted) return { serviceCategory: wanted.category };
  return { services: [{ catalogId: wanted.service._id }] };
}

function inFormOrder(errors: readonly FieldError[]): readonly FieldError[] {
  const order = Object.keys(labels);
  return errors.toSorted((one, other) => order.indexOf(one.field) - order.indexOf(other.field));
}

/** `must be a valid e-mail address` → `E-mail must be a valid e-mail address`. */
function spoken({ field, message }: FieldError): FieldError {
  const label = labels[field] ?? field;
  return { field, message: `${label} ${message === 'must not be empty' ? 'is needed' : message}` };
}
