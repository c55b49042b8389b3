/** A workshop's own booking, for a customer who walks in or calls. It belongs to no partner, and no partner sees it. */
import { Type } from 'typebox';
import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { parseTypedTime } from '#base/values/typed-time.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { checkedInstant } from '#platform/http/checked-instant.ts';
import { email, optional } from '#platform/http/fields.ts';
import { judgePhone } from '#platform/http/phone-field.ts';
import { valueReader } from '#platform/http/validation.ts';
import { isCustomerOf } from '#product/customers/known/store.ts';
import { newItems } from '#product/orders/services.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { createBooking } from '../create.ts';
import { needOf } from '../place.ts';
import { type AnyBooking, CreateBookingBody, type NewBookingBody } from '../schema.ts';
import { newServices } from '../services.ts';
import { type Conflict, findConflict, saidOf, unlessConflicting } from './conflict.ts';
import { hereFaults, markHere, nextQuarter } from './here.ts';
import { type Against, noName, type OwnOptions, readAnyway } from './options.ts';
import { hasText, typedFaults, typedInteger, typedServices, typedTimes } from './typed.ts';

/**
 * As typed: fields of POST /bookings, times in the forms of `parseTypedTime`. A customer name or a rego is required; an empty text
 * counts as absent.
 */
export interface OwnBookingInput {
  readonly carRego?: string;
  /** May be empty for somebody who is here: the next quarter of an hour. */
  readonly bookingTime: string;
  readonly customerName?: string;
  readonly customerPhone?: string;
  readonly customerEmail?: string;
  readonly customerCompany?: string;
  /** A customer of the workshop that `lookUpKnown` returned, when no phone identifies one. */
  readonly customerId?: string;
  readonly pickupTime?: string;
  readonly serviceCategory?: string;
  /** A known customer keeps the name that they have, and the booking alone has the given one. */
  readonly keepsName?: boolean;
  /** As in `CreateBooking`. */
  readonly hidesNumbers?: 'typed' | 'filledIn';
  /** Services: a code of the workshop's catalogue, or a title. */
  readonly service?: readonly string[];
  /** The workshop still has to confirm it; absent or false: it is made confirmed. */
  readonly isPending?: boolean;
  /** Its customer stands at the desk: the time is of today, and the attendance "here". */
  readonly isHere?: boolean;
  readonly notes?: string;
  readonly carMake?: string;
  readonly carModel?: string;
  readonly carYear?: string;
  readonly carVin?: string;
  /** Empty texts are left out. */
  readonly jobNotes?: readonly string[];
  readonly productNotes?: readonly string[];
}

const { carRego, customerName, customerPhone, ...properties } = CreateBookingBody.properties;
const readBooking = valueReader(
  Type.Object({
    ...properties,
    carRego: Type.Optional(carRego),
    customerName: Type.Optional(customerName),
    customerPhone: Type.Optional(customerPhone),
    customerEmail: optional(email()),
  }),
  'booking',
);

const readTexts = valueReader(
  Type.Object({
    carRego: Type.Optional(carRego),
    customerName: Type.Optional(customerName),
    services: properties.services,
  }),
  'booking',
);

/** Whether a booking could have these texts: a preview shows no others. Empty ones count as absent; services are titles. */
export function areBookable(texts: {
  readonly carRego: string;
  readonly customerName: string;
  readonly services: readonly string[];
}): boolean {
  const { services, ...own } = texts;
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value.trim() !== ''));
  return readTexts({ ...given, services: services.map((title) => ({ title })) }).errors.length === 0;
}

export interface OwnBooking extends AnyBooking, Against {
  /** The conflicts of its time, for staff. */
  readonly warnings: readonly string[];
}

const nobody = { field: 'customerId', message: 'is no customer of this workshop' };

/**
 * Throws InvalidInput that names every bad field, also `customerName` when neither it nor the rego is given, OperatorError when
 * there is no such workshop, and what `unlessConflicting` throws.
 */
export async function createOwnBooking(
  context: ChangeContext,
  workshop: string,
  {
    service = [],
    bookingTime,
    pickupTime,
    customerId,
    keepsName = false,
    hidesNumbers,
    isPending = false,
    isHere = false,
    jobNotes = [],
    productNotes = [],
    ...input
  }: OwnBookingInput,
  { notify, anyway, actor, asksClock = false, asksPastDay = false }: OwnOptions,
): Promise<OwnBooking> {
  const { db, clock } = context;
  const { workshopId, timezone, country } = await requireWorkshop(db, workshop);
  const begins = isHere && bookingTime === '' ? nextQuarter(clock.now()).toISOString() : bookingTime;
  const typed = { bookingTime: begins, ...(pickupTime && { pickupTime }) };
  const { times, errors: wrongTimes } = typedTimes(typed, ['bookingTime', 'pickupTime'], {
    ...{ timezone, now: clock.now(), asksClock },
  });
  const services = await typedServices(db, workshopId, service);
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value.trim() !== ''));
  const lists = { jobNotes: jobNotes.filter(hasText), productNotes: productNotes.filter(hasText) };
  const year = given['carYear'] === undefined ? {} : { carYear: typedInteger(given['carYear']) };
  const body = { ...given, ...year, ...lists, ...times, workshopId, services, skipNotification: !notify };
  const { value, errors: faults } = readBooking(body);
  const sent = value as Partial<CreateBookingBody> & Pick<CreateBookingBody, 'bookingTime'>;
  const { phone, found } = await judgePhone('customerPhone', given['customerPhone'], async () => country);
  const { reason, errors: wrongReason } = readAnyway(anyway);
  const errors = [
    ...wrongTimes,
    ...typedFaults(faults.filter(({ field }) => wrongTimes.every((wrong) => wrong.field !== field))),
    ...found,
    ...wrongReason,
    ...(isHere ? hereFaults(parseTypedTime(begins, timezone, clock.now()), timezone, clock.now()) : []),
    ...(given['customerName'] === undefined && given['carRego'] === undefined ? [noName] : []),
    ...(customerId === undefined || (await isCustomerOf(db, workshopId, customerId)) ? [] : [nobody]),
  ];
  if (errors.length > 0) throw new InvalidInput(errors);

  const conflict = await conflictOf(context, {
    ...{ workshopId, date: checkedInstant(sent.bookingTime) },
    ...{ services: sent.services ?? [], category: sent.serviceCategory ?? null, asksPastDay },
  });
  const own: NewBookingBody = { ...notGivenYet, ...sent, workshopId };
  const request = { partnerId: null, actor, body: own, phone, claim: null, customerId: customerId ?? null };
  const whose = { keepsName, hidesNumbers: hidesNumbers ?? null, isConfirmed: !isPending };
  return unlessConflicting({ conflict, anyway: reason, timezone }, () =>
    change(context, async ({ tx, within, now: at }) => {
      const made = await createBooking(within, { ...request, ...whose, anyway: reason });
      if (made === null) throw new InvalidInput([nobody]);
      if (reason !== null) await recordAnyway(tx, made, { actor, reason, at });
      if (isHere) await markHere(tx, made, { actor, at });
      return { ...made, ...saidOf(conflict) };
    }),
  );
}

interface Asked {
  readonly workshopId: string;
  readonly date: Date;
  readonly services: NonNullable<CreateBookingBody['services']>;
  readonly category: CreateBookingBody['serviceCategory'] | null;
  readonly asksPastDay: boolean;
}

async function conflictOf(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { workshopId, date, services, category, asksPastDay }: Asked,
): Promise<Conflict | null> {
  const { stored } = await newItems(db, workshopId, services);
  const now = clock.now();
  const need = needOf({ date, createdAt: now, ...newServices(stored, category ?? null) });
  return findConflict(db, now, { workshopId, need, own: null, asksPastDay });
}

/** The conflict that a form's new booking would have at a time, with services as typed; null: none. */
export async function conflictOfNew(
  context: Pick<Context, 'db' | 'clock'>,
  workshopId: string,
  { date, service }: { readonly date: Date; readonly service: readonly string[] },
): Promise<Conflict | null> {
  const services = await typedServices(context.db, workshopId, service);
  return conflictOf(context, { workshopId, date, services, category: null, asksPastDay: true });
}

/** Writes the trail entry of a booking that is made against the rules. For a move, the event records it. */
export function recordAnyway(
  tx: Queryable,
  { id, workshopId }: Pick<AnyBooking, 'id' | 'workshopId'>,
  { actor, reason, at }: { readonly actor: Actor; readonly reason: string; readonly at: Date },
): Promise<void> {
  const subject = { kind: 'booking', id };
  const after = { anywayReason: reason };
  return recordEntry(tx, { actor, workshopId, subject, action: 'booking.bookedAnyway', after, at });
}

const notGivenYet = { carRego: null, customerName: null, customerPhone: null, customerEmail: null } as const;
