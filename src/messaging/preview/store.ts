/** SQL of what a template is filled with when staff look at it: no partner asks, so nothing is held back. */
import type { Booking } from '#bookings/schema.ts';
import type { ScopeWorkshop } from '#bookings/scope.ts';
import { bookingJson } from '#bookings/snapshot.ts';
import type { Queryable } from '#db/database.ts';

export interface PreviewTemplate {
  readonly workshopId: string;
  readonly body: string;
  readonly workshop: ScopeWorkshop;
}

export async function findPreviewTemplate(db: Queryable, id: string): Promise<PreviewTemplate | null> {
  const [row] = await db.query<PreviewTemplate>(
    `SELECT t.workshop_id AS "workshopId", t.body,
            jsonb_build_object('name', w.name, 'slug', w.slug, 'phone', w.phone, 'email', w.email, 'timezone', w.timezone) AS workshop
       FROM template t JOIN workshop w ON w.id = t.workshop_id WHERE t.id = $1`,
    [id],
  );
  return row ?? null;
}

export async function findPreviewBooking(
  db: Queryable,
  workshopId: string,
  id: string,
): Promise<Booking | null> {
  const [row] = await db.query<{ booking: Booking }>(
    `SELECT ${bookingJson('b', 'c')} AS booking FROM booking b JOIN car c ON c.id = b.car_id
      WHERE b.id = $2 AND b.workshop_id = $1`,
    [workshopId, id],
  );
  return row?.booking ?? null;
}
