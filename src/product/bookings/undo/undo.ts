/** Whoever changed a booking takes it back, while its event is held: nobody hears of either (specification: Taking a change back). */

import { type PersonActor, storedActor } from '#base/values/actor.ts';
import { isId, newId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { copyEvents } from '#platform/audit/store.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { findChange, type MadeChange, withdrawEvent } from '#platform/events/held/store.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { actorValues } from '#platform/events/record.ts';
import { attemptPlace, OutdatedRules, placeError } from '#product/availability/places/attempt.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { type LockedBooking, lockBooking } from '../change/store.ts';
import { type AttendanceBefore, changeAttendance, recordAttended } from '../staff/attendance.ts';
import { unlessConflicting } from '../staff/conflict.ts';
import type { BookingVersion } from '../store.ts';
import { placeAgain } from './place.ts';
import { type UndoRefusal, UndoRefused } from './refused.ts';
import { type BookingRow, restoreBooking } from './store.ts';

export interface UndoChange {
  /** Whose staff the actor is: an event of another workshop is 404 060001. */
  readonly workshopId: string;
  /** The event of the change, as the verb that made it has returned it. */
  readonly eventId: string;
  readonly actor: PersonActor;
  readonly alongside?: Alongside<Undone>;
}

/** A booking as it is again. */
export interface Undone extends BookingVersion {
  /** Of the `booking.updated` that says so; null: the booking's row had not changed. */
  readonly eventId: string | null;
  /** The kind of the event that was withdrawn: `booking.cancelled`. */
  readonly undone: string;
}

/** What was withdrawn, in the transaction that holds its booking. */
export interface Taken {
  readonly present: LockedBooking;
  readonly kind: string;
  /** As it was given to `holdEvent`. */
  readonly previous: object;
  readonly actor: PersonActor;
  refuse(reason: UndoRefusal): UndoRefused;
}

type Needed = Pick<Context, 'db' | 'clock' | 'nudgeRelay'>;
/** Makes undone, but for its event, what a change of one kind has written. */
export type Restore = (context: Needed, tx: Queryable, taken: Taken) => Promise<Omit<Undone, 'undone'>>;

/** By the kind of event of the change. */
const restoreOf: Readonly<Record<string, Restore>> = {
  'booking.updated': restoreFields,
  'booking.confirmed': restoreFields,
  'booking.completed': restoreFields,
  'booking.cancelled': restoreFields,
  'booking.carReady': restoreAttendance,
};

/** Whether a change with an event of this kind can be taken back: no other is held. */
export const isUndoable = (kind: string): boolean => Object.hasOwn(restoreOf, kind);

/**
 * Takes the change back in one commit. Throws, and changes nothing: 404 060001 for what is no event of the workshop,
 * UndoRefused, and 409 060003 in words for staff where others have its place by now.
 */
export async function undoChange(context: Needed, request: UndoChange): Promise<Undone> {
  const { workshopId, eventId } = request;
  if (!isId(workshopId) || !isId(eventId)) throw new Problem('060001');
  const { timezone } = await requireWorkshop(context.db, workshopId);
  const work = (tx: Queryable) => undoIn(context, tx, request);
  const undone = await unlessConflicting({ conflict: null, anyway: null, timezone }, () =>
    attemptPlace(context.db, () => context.db.transaction(work)),
  );
  context.nudgeRelay();
  return undone;
}

async function undoIn(context: Needed, tx: Queryable, request: UndoChange): Promise<Undone> {
  const { workshopId, eventId, actor } = request;
  const { recordId } = found(await findChange(tx, workshopId, eventId));
  const present = await lockBooking(tx, null, recordId);
  // Read again while the booking is held: another request may just have undone it.
  const change = found(await findChange(tx, workshopId, eventId));
  const { kind } = change;
  const refuse = (reason: UndoRefusal) => new UndoRefused(reason, recordId, change.recordVersion);
  if (change.isWithdrawn) throw refuse('alreadyUndone');
  const restore = restoreOf[kind];
  if (present === null || restore === undefined) throw refuse('tooLate');
  if (change.actor !== storedActor(actor)) throw refuse('notYours');
  if (isChangedSince(change, present)) throw refuse('changedMeanwhile');
  const previous = await withdrawEvent(tx, eventId);
  if (previous === null) throw refuse('tooLate');
  // It is never relayed, and the trail keeps both changes.
  await copyEvents(tx, [eventId]);

  const restored = await restore(context, tx, { present, kind, previous, actor, refuse });
  const undone = { ...restored, undone: kind };
  await request.alongside?.(tx, undone);
  return undone;
}

function found<T>(value: T | null): T {
  if (value === null) throw new Problem('060001');
  return value;
}

const isChangedSince = ({ recordVersion, hasEnded }: MadeChange, { version }: LockedBooking) =>
  version !== recordVersion || hasEnded;

async function restoreFields(
  context: Needed,
  tx: Queryable,
  { present, previous, actor }: Taken,
): Promise<Omit<Undone, 'undone'>> {
  const row = previous as BookingRow;
  const { id: bookingId, workshopId, date, status, cancelReason } = present.booking;
  const place = await placeAgain(context, tx, present, row);
  const eventId = newId();
  const written = await restoreBooking(tx, {
    ...{ bookingId, eventId, previous: row, before: { status, date, cancelReason } },
    previousDate: Date.parse(row.date) === Date.parse(date) ? null : date,
    ...place,
    now: context.clock.now(),
    ...actorValues(actor),
  }).catch((error: unknown) => {
    throw placeError(error, workshopId, place.occupiedFrom ?? new Date(row.date));
  });
  if (written === null) throw new OutdatedRules(workshopId, null);
  return { ...written, eventId };
}

/** The booking's row stays as it was all the time. */
async function restoreAttendance(
  { clock }: Needed,
  tx: Queryable,
  { present: { booking, version }, previous, actor, refuse }: Taken,
): Promise<Omit<Undone, 'undone'>> {
  const { attendance: state } = previous as AttendanceBefore;
  const at = clock.now();
  const of = { workshopId: booking.workshopId, bookingId: booking.id, actor };
  const attended = await changeAttendance(tx, { ...of, state }, at);
  if (attended.before !== 'ready') throw refuse('changedMeanwhile');
  await recordAttended(tx, of, attended, at);
  return { booking, version, eventId: null };
}
