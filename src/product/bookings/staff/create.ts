/** A workshop's own booking, for someone who walks in or calls. It belongs to no partner, and no partner sees it. */
import { Type } from 'typebox';
import { InvalidInput } from '#base/operator-error.ts';
import type { Context } from '#platform/context.ts';
import { checkedInstant } from '#platform/http/checked-instant.ts';
import { email, optional } from '#platform/http/fields.ts';
import { judgePhone } from '#platform/http/phone-field.ts';
import { valueReader } from '#platform/http/validation.ts';
import { newItems } from '#product/orders/services.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { createBooking } from '../create.ts';
import { needOf } from '../place.ts';
import { type Booking, CreateBookingBody } from '../schema.ts';
import { newServices } from '../services.ts';
import { findConflict, unlessConflicting } from './conflict.ts';
import type { OwnOptions } from './options.ts';
import { typedFaults, typedServices, typedTimes } from './typed.ts';

/** As typed: fields of POST /bookings, times as `parseTypedTime` takes them. The e-mail may be absent. */
export interface OwnBookingInput {
  readonly carRego: string;
  readonly bookingTime: string;
  readonly customerName: string;
  readonly customerPhone: string;
  readonly customerEmail?: string;
  readonly customerCompany?: string;
  readonly pickupTime?: string;
  readonly serviceCategory?: string;
  /** Services: a code of the workshop's catalogue, or a title. */
  readonly service?: readonly string[];
  readonly notes?: string;
  readonly carMake?: string;
  readonly carModel?: string;
}

const readBooking = valueReader(
  Type.Object({ ...CreateBookingBody.properties, customerEmail: optional(email()) }),
  'booking',
);

export interface OwnBooking extends Booking {
  /** What speaks against its time, for staff. */
  readonly warnings: readonly string[];
}

/**
 * Throws InvalidInput that names every bad field,
 * OperatorError when there is no such workshop, and as `unlessConflicting`.
 */
export async function createOwnBooking(
  context: Pick<Context, 'db' | 'clock' | 'nudgeRelay'>,
  workshop: string,
  { service = [], bookingTime, pickupTime, ...input }: OwnBookingInput,
  { notify, anyway, actor }: OwnOptions,
): Promise<OwnBooking> {
  const { db, clock } = context;
  const { workshopId, timezone, country } = await requireWorkshop(db, workshop);
  const typed = { bookingTime, ...(pickupTime && { pickupTime }) };
  const { times, errors: wrongTimes } = typedTimes(
    typed,
    ['bookingTime', 'pickupTime'],
    timezone,
    clock.now(),
  );
  const services = await typedServices(db, workshopId, service);
  const body = { ...input, ...times, workshopId, services, skipNotification: !notify };
  const { errors: faults } = readBooking(body);
  const { phone, found } = await judgePhone('customerPhone', body.customerPhone, async () => country);
  const errors = [
    ...wrongTimes,
    ...typedFaults(faults.filter(({ field }) => wrongTimes.every((wrong) => wrong.field !== field))),
    ...found,
  ];
  if (phone === null || errors.length > 0) throw new InvalidInput(errors);

  const sent = { ...body, customerEmail: input.customerEmail ?? '' } as CreateBookingBody;
  const { stored } = await newItems(db, workshopId, sent.services ?? []);
  const need = needOf({
    ...{ date: checkedInstant(sent.bookingTime), createdAt: clock.now() },
    ...newServices(stored, sent.serviceCategory ?? null),
  });
  const conflict = await findConflict(context, { workshopId, need, own: null });
  const booking = await unlessConflicting({ conflict, anyway, timezone }, (enforce) =>
    createBooking(context, { partnerId: null, actor, body: sent, phone, claim: null, enforce }),
  );
  if (booking === null) throw new Error('an own booking was made without a result');
  return { ...booking, warnings: conflict === null ? [] : [conflict.text] };
}
