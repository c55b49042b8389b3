/** SQL of undoing a change: reads a booking's previous row, and restores it. */

import type { Queryable } from '#platform/db/database.ts';
import { instantJson } from '#platform/db/json.ts';
import { statement } from '#platform/db/statement.ts';
import { actorColumns, actorOf } from '#platform/events/record.ts';
import { changeCtes } from '#platform/records/change.ts';
import type { PlaceColumns } from '#product/availability/places/place.ts';
import type { ServiceCategory } from '#product/catalogue/categories.ts';
import type { ServiceItem } from '#product/catalogue/item.ts';
import { placeAssignments, placeColumns, restoredColumns } from '../columns.ts';
import { bookingRecord } from '../record.ts';
import type { Booking } from '../schema.ts';
import type { BookingVersion } from '../store.ts';

/** Columns of a booking as `readRow` returns them; `placeAgain` derives the place from them. */
export interface BookingRow {
  /** RFC 3339. */
  readonly date: string;
  readonly created_at: string;
  readonly services: ServiceItem[];
  readonly service_minutes: readonly number[];
  readonly service_category: ServiceCategory | null;
  readonly occupied_from: string | null;
  readonly occupied_until: string | null;
  readonly counted_services: readonly (string | null)[] | null;
  readonly counted_categories: readonly string[] | null;
  readonly anyway_reason: string | null;
}

/** The whole row of a booking, by column names, for `restoreBooking`. */
export async function readRow(tx: Queryable, bookingId: string): Promise<BookingRow> {
  const [found] = await tx.query<{ row: BookingRow }>(
    'SELECT to_jsonb(b) AS row FROM booking b WHERE id = $1',
    [bookingId],
  );
  if (found === undefined) throw new Error('a locked booking has disappeared');
  return found.row;
}

const restoreStatement = statement(
  {
    bookingId: 'uuid',
    eventId: 'uuid',
    previous: 'jsonb',
    before: 'jsonb',
    previousDate: 'text null',
    ...placeColumns,
    setupVersion: 'integer null',
    now: 'timestamptz',
    ...actorColumns,
  },
  ($) => `WITH was AS MATERIALIZED (SELECT * FROM jsonb_populate_record(NULL::booking, ${$('previous')})),
    ${changeCtes(bookingRecord, {
      kind: `'booking.updated'`,
      id: $('eventId'),
      set: `${restoredColumns.map((column) => `${column} = was.${column}`).join(', ')},
             ${placeAssignments($)}`,
      from: 'was',
      where: `r.id = ${$('bookingId')}
         AND (${$('setupVersion')} IS NULL
           OR ${$('setupVersion')} = (SELECT setup_version FROM workshop WHERE workshop.id = r.workshop_id))`,
      before: $('before'),
      after: { status: 'r.status', date: instantJson('r.date'), cancelReason: 'r.cancel_reason' },
      payload: {
        ...{ dateChanged: `${$('previousDate')} IS NOT NULL`, previousDate: $('previousDate') },
        ...{ notifyCustomer: 'false', notifyWorkshop: 'false' },
      },
      ...{ now: $('now'), by: actorOf($) },
    })}
    SELECT booking, version FROM booking_snapshot`,
);

export interface Restoring extends PlaceColumns {
  readonly bookingId: string;
  readonly eventId: string;
  readonly previous: BookingRow;
  /** The values before the undo, for the trail. */
  readonly before: Pick<Booking, 'status' | 'date' | 'cancelReason'>;
  /** The time before the undo, RFC 3339; null: it does not move. */
  readonly previousDate: string | null;
  /** The version of the workshop's set-up that the place was taken under; null: any. */
  readonly setupVersion: number | null;
  readonly now: Date;
  readonly actor: string;
  readonly requestId: string | null;
}

/**
 * Restores the fields and the status of a locked booking to those before its last change, with a place, and writes an event without
 * notices. Null when the workshop's set-up has changed since: the transaction must then not be committed.
 */
export async function restoreBooking(tx: Queryable, restoring: Restoring): Promise<BookingVersion | null> {
  const [row] = await tx.query<BookingVersion>(restoreStatement.text, restoreStatement.values(restoring));
  return row ?? null;
}
