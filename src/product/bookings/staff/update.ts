/** The workshop's staff move or change a booking, whoever made it: its customer and its partner hear of it as of the partner's own changes. */

import { InvalidInput } from '#base/operator-error.ts';
import type { Context } from '#platform/context.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { checkedInstant } from '#platform/http/checked-instant.ts';
import { judgePhone } from '#platform/http/phone-field.ts';
import { valueReader } from '#platform/http/validation.ts';
import { requireRecord } from '#platform/records/staff/find.ts';
import { storedPlace } from '#product/availability/places/place.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { type LockedBooking, readPlacedBooking } from '../change/store.ts';
import type { ChangedBooking, Holding } from '../hold.ts';
import { needOf } from '../place.ts';
import { bookingRecord } from '../record.ts';
import { frozenFields, nextState } from '../rules.ts';
import { UpdateBookingBody } from '../schema.ts';
import { nextServices } from '../services.ts';
import { updateBooking } from '../update.ts';
import { type Conflict, findConflict, unlessConflicting } from './conflict.ts';
import type { OwnOptions } from './options.ts';
import { typedFaults, typedServices, typedTimes } from './typed.ts';

const readChanges = valueReader(UpdateBookingBody, 'booking');

/** As typed: what is absent stays, and an empty text clears what a booking may lack. */
export interface OwnChangesInput {
  /** When it is from now on. */
  readonly to?: string;
  readonly carRego?: string;
  readonly customerName?: string;
  readonly customerPhone?: string;
  readonly customerEmail?: string;
  readonly customerCompany?: string;
  readonly pickupTime?: string;
  readonly serviceCategory?: string;
  /** All of its services from now on; a single empty text: none. */
  readonly service?: readonly string[];
  readonly notes?: string;
}

export interface OwnChangeOptions extends OwnOptions, Holding {
  /** The version that staff have seen, as an ETag; whatever it is where it is absent. */
  readonly ifMatch?: string;
  readonly alongside?: Alongside<ChangedBooking>;
}

/** What was changed, and what speaks against its time, for staff. */
export interface OwnChange extends ChangedBooking {
  readonly bookingId: string;
  readonly warnings: readonly string[];
}

type Needed = Pick<Context, 'db' | 'clock' | 'nudgeRelay'>;

/**
 * Throws InvalidInput that names every bad option, OperatorError when there is no such booking, 404 060001 when it is another
 * workshop's, 412 000010, 409 060004 for what its status forbids, and as `unlessConflicting`.
 */
export async function changeOwn(
  context: Needed,
  idOrCode: string,
  input: OwnChangesInput,
  { notify, anyway, ifMatch, ...by }: OwnChangeOptions,
): Promise<OwnChange> {
  const { db, clock } = context;
  const { id: bookingId, workshopId } = await requireRecord(db, bookingRecord, idOrCode);
  const { country, timezone } = await requireWorkshop(db, workshopId);
  const { to, pickupTime, service, ...rest } = input;
  const typed = { ...(to !== undefined && { to }), ...(pickupTime !== undefined && { pickupTime }) };
  const { times, errors: wrongTimes } = typedTimes(typed, ['to', 'pickupTime'], timezone, clock.now());
  const words = service?.filter((word) => word !== '');
  const given = {
    ...Object.fromEntries(
      Object.entries(rest).map(([name, text]) => [name, text === '' && mayLack.has(name) ? null : text]),
    ),
    ...(times.to !== undefined && { date: times.to }),
    ...(times.pickupTime !== undefined && { pickupTime: times.pickupTime }),
    ...(words && { services: await typedServices(db, workshopId, words) }),
    skipNotification: !notify,
  };
  const { value, errors: faults } = readChanges(given);
  const { phone, found } = await judgePhone('customerPhone', input.customerPhone, async () => country);
  const errors = [
    ...wrongTimes,
    ...typedFaults(faults).map((each) => (each.field === 'date' ? { ...each, field: 'to' } : each)),
    ...found,
  ];
  if (errors.length > 0) throw new InvalidInput(errors);

  const body = value as UpdateBookingBody;
  const present = await readPlacedBooking(db, null, bookingId);
  const conflict = present === null ? null : await conflictOf(context, present, body, phone);
  const changed = await unlessConflicting({ conflict, anyway, timezone }, (enforce) =>
    updateBooking(context, {
      ...{ ...by, bookingId, body, phone, ifMatch, enforce },
    }),
  );
  return { ...changed, bookingId, warnings: conflict === null ? [] : [conflict.text] };
}

const mayLack: ReadonlySet<string> = new Set(['customerCompany', 'serviceCategory']);

/** What speaks against the place that it would have. Null also where its status forbids the change. */
async function conflictOf(
  context: Needed,
  present: LockedBooking,
  body: UpdateBookingBody,
  phone: string | null,
): Promise<Conflict | null> {
  const { booking } = present;
  const { columns } = await nextServices(context.db, present, body);
  const { changed } = nextState(booking, { ...body, ...columns }, phone);
  const isPlaced = changed.some((field) => ['date', 'services', 'serviceCategory'].includes(field));
  if (!isPlaced || frozenFields(booking.status, changed).length > 0) return null;
  const need = needOf({
    ...columns,
    date: checkedInstant(body.date ?? booking.date),
    createdAt: new Date(booking.createdAt),
  });
  const { workshopId } = booking;
  const stays = !changed.includes('date');
  // A booking that stays where it is may be past.
  if (stays && need.date < context.clock.now()) return null;
  return findConflict(context, { workshopId, need: { ...need, stays }, own: storedPlace(present) });
}
