/** Staff mark whether the customer has come, and undo it. The booking does not change, nor do its status, version and ETag. */
import { InvalidInput } from '#base/operator-error.ts';
import { type Actor, storedActor } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import {
  type AttendanceState,
  attendanceStates,
  lockAttendance,
  writeAttendance,
} from '../attendance/store.ts';

export interface Attended {
  readonly state: AttendanceState;
  /** The previous state; equal when nothing changed. */
  readonly before: AttendanceState;
}

export interface SetAttendance {
  readonly workshopId: string;
  readonly bookingId: string;
  readonly state: AttendanceState;
  /** The state that the caller has seen; absent: any. */
  readonly seen?: AttendanceState | undefined;
  readonly actor: Actor;
}

/** Parses typed input. Throws InvalidInput. */
export function readAttendanceState(typed: string): AttendanceState {
  const state = attendanceStates.find((each) => each === typed);
  if (state === undefined)
    throw new InvalidInput([{ field: 'state', message: `must be one of ${attendanceStates.join(', ')}` }]);
  return state;
}

/**
 * Throws 404 060001 for a booking that is not the workshop's, and 412 000010 when the present state is neither `seen` nor the
 * wanted one. Without `seen` the last of concurrent changes wins.
 */
export async function setAttendance(context: ChangeContext, asked: SetAttendance): Promise<Attended> {
  return change(context, async ({ tx, now }) => {
    const attended = await changeAttendance(tx, asked, now);
    await recordAttended(tx, asked, attended, now);
    return attended;
  });
}

type Asked = Omit<SetAttendance, 'state'>;

/** The same in the caller's transaction, which must write the trail entry; the attendance is locked until it ends. */
export async function changeAttendance(
  tx: Queryable,
  { workshopId, bookingId, state, seen, actor: who }: Asked & Pick<SetAttendance, 'state'>,
  at: Date,
): Promise<Attended> {
  if (!isId(bookingId)) throw new Problem('060001');
  const actor = storedActor(who);
  const before = await lockAttendance(tx, { workshopId, bookingId, actor, at });
  if (before === null) throw new Problem('060001');
  if (seen !== undefined && before !== seen && before !== state) throw new Problem('000010');
  if (before !== state) await writeAttendance(tx, { bookingId, state, actor, at });
  return { state, before };
}

/** The data that an undo of a change of attendance needs. */
export interface AttendanceBefore {
  readonly attendance: AttendanceState;
}

/** Writes the trail entry of a change that has no event. */
export async function recordAttended(
  tx: Queryable,
  { workshopId, bookingId, actor }: Asked,
  { before, state }: Attended,
  at: Date,
): Promise<void> {
  await recordEntry(tx, {
    ...{ actor, workshopId, subject: { kind: 'booking', id: bookingId }, action: 'booking.attended', at },
    ...{ before: { attendance: before }, after: { attendance: state } },
  });
}
