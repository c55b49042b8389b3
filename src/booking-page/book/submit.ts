/** Books what a visitor has filled in: the same checks and the same booking as POST /bookings by the link's partner. */
import { createHash } from 'node:crypto';
import { createBookingWith } from '#bookings/create.ts';
import { type Booking, CreateBookingBody } from '#bookings/schema.ts';
import type { Context } from '#context.ts';
import { type FieldError, Problem } from '#errors.ts';
import { judgePhone } from '#http/phone-field.ts';
import { valueReader } from '#http/validation.ts';
import { once } from '#idempotency/once.ts';
import { boundChange, requireRoom } from '#pages/bounds/bound.ts';
import { foreignPhone } from '#pages/bounds/foreign-phone.ts';
import type { Form } from '#pages/form.ts';
import { countNotifyPhones } from '#workshops/store.ts';
import { labels } from './details-page.ts';
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
  const { value, errors: found } = readBooking(body);
  const { phone, found: wrongPhone } = await judgePhone(
    'customerPhone',
    form['customerPhone'],
    async () => shop.country,
  );
  const errors = [
    ...found,
    ...faultsOfTyped(form).filter(({ field }) => !found.some((fault) => fault.field === field)),
    ...wrongPhone.map(({ field }) => ({ field, message: 'is not a phone number, such as 0400 000 001' })),
    ...foreignPhone('customerPhone', phone, shop, context.config),
  ];
  if (phone === null || errors.length > 0) return { errors: errors.map((error) => spoken(error, form)) };

  const { partnerId } = link;
  const request = { partnerId, path: '/book', body: value, key: keyOf(form['formId'] ?? '', value) };
  const made = await once(context, request, async (claim) => {
    const body = value as CreateBookingBody;
    const { workshopId, country } = shop;
    const customer = { phone, email: body.customerEmail };
    const visited = { workshopId, country, address, customer, isNew: true };
    // Not before: a form that is sent again gets its booking, however many there were.
    await requireRoom(context, visited);
    const book = (its: CreateBookingBody) =>
      createBookingWith(
        context,
        { partnerId, body: its, phone, claim, enforce: 'always' },
        async (tx, { id: subjectId }) => {
          const workshopSms = await countNotifyPhones(tx, workshopId);
          await boundChange(tx, context, { ...visited, workshopSms }, [{ subjectId, version: 1 }]);
        },
      );
    // The visitor cannot see the code, so one that was used or cancelled since the link was made is no obstacle.
    return book(body).catch((error: unknown) => {
      if (!isOfReminderCode(error)) throw error;
      return book({ ...body, reminderCode: null });
    });
  });
  const booking = made.replayed ? (made.body as { booking: Booking }).booking : made.result;
  return { bookingId: booking.id };
}

const isOfReminderCode = (error: unknown) =>
  error instanceof Problem && error.errors?.some(({ field }) => field === 'reminderCode') === true;

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

/** `must be a valid e-mail address` → `E-mail must be a valid e-mail address`. */
function spoken({ field, message }: FieldError, form: Form): FieldError {
  const label = labels[field] ?? field;
  return { field, message: `${label} ${form[field] ? message : 'is needed'}` };
}
