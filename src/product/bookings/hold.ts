/** Changes that can be undone for some seconds: their events are held until then (specification: Changing a booking). */

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
  /** The event of the change; null: nothing was changed. */
  readonly eventId: string | null;
  /** The change can be undone until then, by the machine's clock; null: it can't be undone. */
  readonly heldUntil: Date | null;
}

/** Options of a change by a workshop's staff. */
export interface Holding {
  /** The workshop whose staff they are: a booking of another one is 404 060001. Absent: any. */
  readonly workshopId?: string;
  /**
   * How long the change can be undone, in milliseconds, at most `holdAtMostMs`. 0 or absent: not at all. Only for changes by
   * people.
   */
  readonly holdMs?: number;
}

export const unchanged = ({ booking, version }: BookingVersion): ChangedBooking => ({
  ...{ booking, version, eventId: null, heldUntil: null },
});

export function requireOf({ workshopId }: Holding, { booking }: BookingVersion): void {
  if (workshopId !== undefined && workshopId !== booking.workshopId) throw new Problem('060001');
}

/**
 * Call it before writing the change of a locked booking, and call the function that it resolves to afterwards. A change of customer
 * or car is not held: `isOfBookingAlone`.
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
    const hold = { eventId, recordId: id, recordVersion: version, holdMs, previous };
    return { booking, version, ...(await holdEvent(tx, hold)) };
  };
}
