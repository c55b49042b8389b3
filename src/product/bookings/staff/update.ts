/**
 * The workshop's staff move or change any booking: its customer is notified and its partner gets events, as for the partner's own
 * changes.
 */

import { InvalidInput } from '#base/operator-error.ts';
import { Problem } from '#errors.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { judgePhone } from '#platform/http/phone-field.ts';
import { valueReader } from '#platform/http/validation.ts';
import { requireRecord } from '#platform/records/staff/find.ts';
import { storedPlace } from '#product/availability/places/place.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { readPlacedBooking } from '../change/store.ts';
import type { ChangedBooking, Holding } from '../hold.ts';
import { needOf } from '../place.ts';
import { bookingRecord, type WorkshopBooking } from '../record.ts';
import { frozenFields, nextState } from '../rules.ts';
import { type BookingChanges, UpdateBookingBody } from '../schema.ts';
import { nextServices } from '../services.ts';
import { type Asked, updateBooking } from '../update.ts';
import {
  type Conflict,
  type JudgedPlace,
  judgePlace,
  notJudged,
  refuseEnforced,
  saidOf,
  unlessConflicting,
} from './conflict.ts';
import { type Against, noName, type OwnOptions, readAnyway } from './options.ts';
import { hasText, typedDetails, typedFaults, typedServices, typedTimes } from './typed.ts';

const readChanges = valueReader(UpdateBookingBody, 'booking');

/**
 * As typed: an absent field stays, and an empty text clears an optional field. In an own booking name, phone, e-mail and rego are
 * optional, but one of name and rego must remain.
 */
export interface OwnChangesInput {
  /** The new time. */
  readonly to?: string;
  readonly carRego?: string;
  readonly customerName?: string;
  readonly customerPhone?: string;
  readonly customerEmail?: string;
  readonly customerCompany?: string;
  readonly pickupTime?: string;
  readonly serviceCategory?: string;
  /** Replaces all services; a single empty text: none. */
  readonly service?: readonly string[];
  readonly notes?: string;
  /** Details of the car; an empty text clears each. */
  readonly carMake?: string;
  readonly carModel?: string;
  readonly carYear?: string;
  readonly carVin?: string;
  /** Replace all; empty texts are left out. */
  readonly jobNotes?: readonly string[];
  readonly productNotes?: readonly string[];
}

export interface OwnChangeOptions extends OwnOptions, Holding {
  /** The version that staff have seen; absent: any. */
  readonly seen?: number;
}

/** A change, with the conflicts of the booking's time, for staff. */
export interface OwnChange extends ChangedBooking, Against {
  readonly bookingId: string;
  readonly warnings: readonly string[];
}

/**
 * `of`: the booking as it was read, or its id or code. Throws InvalidInput that names every bad option, OperatorError when there is no such booking, 404 060001 for one of another
 * workshop, 412 000010, 409 060004 for fields that its status freezes, and what `unlessConflicting` throws. Details added to a
 * walk-in's booking can match a known customer, who then gets the booking.
 */
export async function changeOwn(
  context: ChangeContext,
  of: WorkshopBooking | string,
  input: OwnChangesInput,
  { notify, anyway, asksClock = false, asksPastDay = false, ...by }: OwnChangeOptions,
): Promise<OwnChange> {
  const { db, clock } = context;
  const before = typeof of === 'string' ? await requireRecord(db, bookingRecord, of) : of;
  const { id: bookingId, workshopId } = before;
  if ((by.workshopId ?? workshopId) !== workshopId) throw new Problem('060001');
  const { country, timezone } = await requireWorkshop(db, workshopId);
  const { cleared, rest: kept } = clearedOf(before, input);
  const { to, pickupTime, service, jobNotes, productNotes, ...named } = kept;
  const { carMake, carModel, carYear, carVin, ...rest } = named;
  const typed = { ...(to !== undefined && { to }), ...(pickupTime !== undefined && { pickupTime }) };
  const { times, errors: wrongTimes } = typedTimes(typed, ['to', 'pickupTime'], {
    ...{ timezone, now: clock.now(), asksClock },
  });
  const words = service?.filter((word) => word !== '');
  const given = {
    ...Object.fromEntries(
      Object.entries(rest).map(([name, text]) => [name, text === '' && mayLack.has(name) ? null : text]),
    ),
    ...(times.to !== undefined && { date: times.to }),
    ...(times.pickupTime !== undefined && { pickupTime: times.pickupTime }),
    ...(words && { services: await typedServices(db, workshopId, words) }),
    ...(jobNotes && { jobNotes: jobNotes.filter(hasText) }),
    ...(productNotes && { productNotes: productNotes.filter(hasText) }),
    skipNotification: !notify,
  };
  const { value, errors: faults } = readChanges(given);
  const details = typedDetails({ carMake, carModel, carYear, carVin });
  const { phone, found } = await judgePhone('customerPhone', rest.customerPhone, async () => country);
  const { reason, errors: wrongReason } = readAnyway(anyway);
  const errors = [
    ...wrongTimes,
    ...details.errors,
    ...typedFaults(faults).map((each) => (each.field === 'date' ? { ...each, field: 'to' } : each)),
    ...found,
    ...wrongReason,
    ...(isNobodys(before, { ...rest, ...cleared }) ? [noName] : []),
  ];
  if (errors.length > 0) throw new InvalidInput(errors);

  const body: BookingChanges = { ...(value as UpdateBookingBody), ...cleared };
  return unlessConflicting({ conflict: null, anyway: reason, timezone }, () =>
    change(context, async ({ within, now }) => {
      let conflict: Conflict | null = null;
      const judge = async (tx: Queryable, asked: Asked) => {
        const place = await judgeChange(tx, now, asked, asksPastDay);
        conflict = place.conflict;
        refuseEnforced(conflict, reason);
        return place.free;
      };
      const request = { ...by, bookingId, body, phone, anyway: reason, details: details.value };
      const changed = await updateBooking(within, { ...request, judge });
      return { ...changed, bookingId, ...saidOf(conflict) };
    }),
  );
}

const mayLack: ReadonlySet<string> = new Set(['customerCompany', 'serviceCategory']);
const whose = ['carRego', 'customerName', 'customerPhone', 'customerEmail'] as const;
type Whose = (typeof whose)[number];

/** The fields that an own booking loses, and the other typed fields. */
function clearedOf({ partnerId }: WorkshopBooking, input: OwnChangesInput) {
  const empty = partnerId === null ? whose.filter((name) => input[name]?.trim() === '') : [];
  const cleared: { readonly [Name in Whose]?: null } = Object.fromEntries(empty.map((name) => [name, null]));
  const rest = Object.entries(input).filter(([name]) => !Object.hasOwn(cleared, name));
  return { cleared, rest: Object.fromEntries(rest) as OwnChangesInput };
}

/** Whether it would have neither a name nor a rego. */
function isNobodys({ customer, car }: WorkshopBooking, changes: Pick<BookingChanges, Whose>): boolean {
  const { customerName = customer.name, carRego = car.rego } = changes;
  return customerName === null && carRego === null;
}

/**
 * The conflict that a form's change of a booking would have, at another time or with other services (as in `OwnChangesInput`); null: none,
 * also when its status forbids the change.
 */
export async function conflictOfChange(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  bookingId: string,
  { to, service }: { readonly to?: Date; readonly service?: readonly string[] },
): Promise<Conflict | null> {
  const present = await readPlacedBooking(db, null, bookingId);
  if (present === null) return null;
  const { booking } = present;
  const words = service?.filter((word) => word !== '');
  const body = {
    ...(to && { date: to.toISOString() }),
    ...(words && { services: await typedServices(db, booking.workshopId, words) }),
  };
  const { columns: services } = await nextServices(db, present, body);
  const next = nextState(booking, { ...body, ...services }, null);
  const asked = { present, next, services };
  return (await judgeChange(db, clock.now(), asked, true)).conflict;
}

/** Judges the place that it would have; not when its status forbids the change. */
async function judgeChange(
  db: Queryable,
  now: Date,
  { present, next: { content, changed }, services }: Asked,
  asksPastDay: boolean,
): Promise<JudgedPlace> {
  const { status, createdAt, workshopId } = present.booking;
  const isPlaced = changed.some((field) => ['date', 'services', 'serviceCategory'].includes(field));
  if (!isPlaced || frozenFields(status, changed).length > 0) return notJudged;
  const need = needOf({ ...services, date: content.date, createdAt: new Date(createdAt) });
  const stays = !changed.includes('date');
  // A booking whose time does not change may be in the past.
  if (stays && need.date < now) return notJudged;
  return judgePlace(db, now, {
    ...{ workshopId, asksPastDay, own: storedPlace(present) },
    need: { ...need, stays },
  });
}
