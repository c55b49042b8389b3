/** A person undoes their change while its event is held: nobody is notified (specification: Taking a change back). */

import { type PersonActor, storedActor } from '#base/values/actor.ts';
import { isId, newId } from '#base/values/id.ts';
import { ownValue } from '#base/values/own-value.ts';
import { Problem } from '#errors.ts';
import { copyEvents } from '#platform/audit/store.ts';
import { type Change, type ChangeContext, change } from '#platform/change/change.ts';
import { findChange, type MadeChange, withdrawEvent } from '#platform/events/held/store.ts';
import { actorValues } from '#platform/events/record.ts';
import { OutdatedRules, placeError } from '#product/availability/places/again.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { type LockedBooking, lockBooking } from '../change/store.ts';
import { type AttendanceBefore, changeAttendance, recordAttended } from '../staff/attendance.ts';
import { unlessConflicting } from '../staff/conflict.ts';
import type { BookingVersion } from '../store.ts';
import { placeAgain } from './place.ts';
import { type UndoRefusal, UndoRefused } from './refused.ts';
import { type BookingRow, restoreBooking } from './store.ts';

export interface UndoChange {
  /** The workshop of the actor: an event of another one is 404 060001. */
  readonly workshopId: string;
  /** The event of the change, as the call that made it returned it. */
  readonly eventId: string;
  readonly actor: PersonActor;
}

/** A booking after the undo. */
export interface Undone extends BookingVersion {
  /** The event `booking.updated` of the undo; null: the booking's row had not changed. */
  readonly eventId: string | null;
  /** The kind of the withdrawn event, such as `booking.cancelled`. */
  readonly undone: string;
}

/** The withdrawn event, in the transaction that locks its booking. */
export interface Taken {
  readonly present: LockedBooking;
  readonly kind: string;
  /** As passed to `holdEvent`. */
  readonly previous: object;
  readonly actor: PersonActor;
  refuse(reason: UndoRefusal): UndoRefused;
}

/** Restores what a change of one kind has written, except for its event. */
export type Restore = (undo: Change, taken: Taken) => Promise<Omit<Undone, 'undone'>>;

/** By the kind of the change's event. */
const restoreOf: Readonly<Record<string, Restore>> = {
  'booking.updated': restoreFields,
  'booking.confirmed': restoreFields,
  'booking.completed': restoreFields,
  'booking.cancelled': restoreFields,
  'booking.carReady': restoreAttendance,
};

/** Whether a change with an event of this kind can be undone; no other kind is held. */
export const isUndoable = (kind: string): boolean => Object.hasOwn(restoreOf, kind);

/**
 * Undoes the change in one commit. Throws, and changes nothing: 404 060001 for an event that is not of the workshop, UndoRefused,
 * and 409 060003 in words for staff when others have its place now.
 */
export async function undoChange(context: ChangeContext, request: UndoChange): Promise<Undone> {
  const { workshopId, eventId } = request;
  if (!isId(workshopId) || !isId(eventId)) throw new Problem('060001');
  const { timezone } = await requireWorkshop(context.db, workshopId);
  return unlessConflicting({ conflict: null, anyway: null, timezone }, () =>
    change(context, (undo) => undoIn(undo, request)),
  );
}

async function undoIn(undo: Change, { workshopId, eventId, actor }: UndoChange): Promise<Undone> {
  const { tx } = undo;
  const { recordId } = found(await findChange(tx, workshopId, eventId));
  const present = await lockBooking(tx, null, recordId);
  // Read again under the lock: another request may have undone it since.
  const made = found(await findChange(tx, workshopId, eventId));
  const { kind } = made;
  const refuse = (reason: UndoRefusal) => new UndoRefused(reason, recordId, made.recordVersion);
  if (made.isWithdrawn) throw refuse('alreadyUndone');
  const restore = ownValue(restoreOf, kind);
  if (present === null || restore === undefined) throw refuse('tooLate');
  if (made.actor !== storedActor(actor)) throw refuse('notYours');
  if (isChangedSince(made, present)) throw refuse('changedMeanwhile');
  const previous = await withdrawEvent(tx, eventId);
  if (previous === null) throw refuse('tooLate');
  // It is never relayed, and the trail keeps both changes.
  await copyEvents(tx, [eventId]);

  return { ...(await restore(undo, { present, kind, previous, actor, refuse })), undone: kind };
}

function found<T>(value: T | null): T {
  if (value === null) throw new Problem('060001');
  return value;
}

const isChangedSince = ({ recordVersion, hasEnded }: MadeChange, { version }: LockedBooking) =>
  version !== recordVersion || hasEnded;

async function restoreFields(
  { tx, now }: Change,
  { present, previous, actor }: Taken,
): Promise<Omit<Undone, 'undone'>> {
  const row = previous as BookingRow;
  const { id: bookingId, workshopId, date, status, cancelReason } = present.booking;
  const place = await placeAgain(tx, now, present, row);
  const eventId = newId();
  const written = await restoreBooking(tx, {
    ...{ bookingId, eventId, previous: row, before: { status, date, cancelReason } },
    previousDate: Date.parse(row.date) === Date.parse(date) ? null : date,
    ...place,
    now,
    ...actorValues(actor),
  }).catch((error: unknown) => {
    throw placeError(error, workshopId, place.occupiedFrom ?? new Date(row.date));
  });
  if (written === null) throw new OutdatedRules(workshopId, null);
  return { ...written, eventId };
}

/** Restores the attendance; the booking's row was not changed. */
async function restoreAttendance(
  { tx, now }: Change,
  { present: { booking, version }, previous, actor, refuse }: Taken,
): Promise<Omit<Undone, 'undone'>> {
  const { attendance: state } = previous as AttendanceBefore;
  const of = { workshopId: booking.workshopId, bookingId: booking.id, actor };
  const attended = await changeAttendance(tx, { ...of, state }, now);
  if (attended.before !== 'ready') throw refuse('changedMeanwhile');
  await recordAttended(tx, of, attended, now);
  return { booking, version, eventId: null };
}
