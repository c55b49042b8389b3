/** SQL of manage links: the code of `/b/{code}`, one for each booking whose link was shown. */

import type { Queryable } from '#platform/db/database.ts';
import { recordset } from '#platform/db/parameters.ts';
import type { AnyBooking } from '../schema.ts';
import { bookingJson, minutesOf } from '../snapshot.ts';

export interface ManageLink {
  readonly bookingId: string;
  readonly code: string;
}

/** Creates the missing links of bookings, each id given once; an existing link keeps its code. */
export async function upsertManageLinks(
  tx: Queryable,
  links: readonly ManageLink[],
): Promise<readonly ManageLink[]> {
  if (links.length === 0) return [];
  return tx.query<ManageLink>(
    `INSERT INTO manage_link AS known (booking_id, code)
     SELECT booking_id, code FROM jsonb_to_recordset($1::jsonb) AS l (booking_id uuid, code text) ORDER BY booking_id
     ON CONFLICT (booking_id) DO UPDATE SET code = known.code
     RETURNING booking_id, code`,
    [recordset(links)],
  );
}

/** A booking as its manage page shows it. */
export interface ManagedBooking {
  readonly booking: AnyBooking;
  readonly version: number;
  /** The duration of all services together; 0: unknown. */
  readonly minutes: number;
  /** Null: the workshop's own. */
  readonly partnerId: string | null;
}

export async function findManagedBooking(db: Queryable, code: string): Promise<ManagedBooking | null> {
  const [row] = await db.query<ManagedBooking>(
    `SELECT ${bookingJson('b', 'c')} AS booking, b.version, ${minutesOf('b')} AS minutes, b.partner_id
       FROM manage_link k JOIN booking b ON b.id = k.booking_id JOIN car c ON c.id = b.car_id WHERE k.code = $1`,
    [code],
  );
  return row ?? null;
}

/** Finds a booking of a workshop by its code and its customer's phone (E.164); both must match. */
export async function findBookingOfCustomer(
  db: Queryable,
  of: { readonly workshopId: string; readonly code: string; readonly phone: string },
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    `SELECT id FROM booking WHERE code = $2 AND workshop_id = $1 AND contact_phone = $3`,
    [of.workshopId, of.code, of.phone],
  );
  return row?.id ?? null;
}

/** A booking by its code, with what its customer's phone is read and compared with. */
export async function findBookingByCode(
  db: Queryable,
  code: string,
): Promise<{ readonly id: string; readonly phone: string | null; readonly country: string } | null> {
  const [row] = await db.query<{ id: string; phone: string | null; country: string }>(
    `SELECT b.id, b.contact_phone AS phone, w.country FROM booking b JOIN workshop w ON w.id = b.workshop_id WHERE b.code = $1`,
    [code],
  );
  return row ?? null;
}

/** Deletes the links of bookings whose customer was erased. */
export async function deleteManageLinks(tx: Queryable, bookingIds: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM manage_link WHERE booking_id = ANY($1::uuid[])', [bookingIds]);
}
