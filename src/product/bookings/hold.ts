/** Changes that whoever makes them may take back for some seconds: until then nobody hears of them (specification: Changing a booking). */

import type { Actor } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import type { Queryable } from '#platform/db/database.ts';
import { holdEvent } from '#platform/events/held/store.ts';
import type { LockedBooking } from './change/store.ts';
import { isOfBookingAlone } from './rules.ts';
import type { BookingVersion } from './store.ts';
import { readRow } from './undo/store.ts';
import { isUndoable } from './undo/undo.ts';

/** A booking after a change. */
export interface ChangedBooking extends BookingVersion {
  /** Of the change; null: nothing was changed. */
  readonly eventId: string | null;
  /** Until then the change can be taken back, by the machine's clock; null: it can't. */
  readonly heldUntil: Date | null;
}

/** What a change by a workshop's staff asks for. */
export interface Holding {
  /** The workshop whose staff they are: a booking of another is 404 060001. Absent: any. */
  readonly workshopId?: string;
  /** For how long the change can be taken back, in milliseconds: at most `holdAtMostMs`. 0, or absent: not at all. Of people's changes alone. */
  readonly holdMs?: number;
}

export const unchanged = ({ booking, version }: BookingVersion): ChangedBooking => ({
  ...{ booking, version, eventId: null, heldUntil: null },
});

export function requireOf({ workshopId }: Holding, { booking }: BookingVersion): void {
  if (workshopId !== undefined && workshopId !== booking.workshopId) throw new Problem('060001');
}

/**
 * Call it before the change of a locked booking is written, and what it resolves to afterwards. A change of its customer or car is not
 * held: `isOfBookingAlone`.
 */
export async function holding(
  tx: Queryable,
  { holdMs = 0, actor }: Holding & { readonly actor: Actor },
  { booking: { id } }: LockedBooking,
  kind: string,
  changed: readonly string[] = [],
): Promise<(written: BookingVersion, eventId: string) => Promise<ChangedBooking>> {
  if (holdMs > 0 && actor.kind !== 'person') throw new Error('only a change by a person is held');
  const isHeld = holdMs > 0 && isUndoable(kind) && isOfBookingAlone(changed);
  const previous = isHeld ? await readRow(tx, id) : null;
  return async ({ booking, version }, eventId) => {
    if (previous === null) return { booking, version, eventId, heldUntil: null };
    const of = { subjectId: id, version, recordId: id, recordVersion: version };
    return { booking, version, ...(await holdEvent(tx, { ...of, holdMs, previous })) };
  };
}
