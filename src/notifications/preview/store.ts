/** SQL of what a notice is made of when staff look at it. */
import type { Booking } from '#bookings/schema.ts';
import type { ScopeWorkshop } from '#bookings/scope.ts';
import { bookingJson } from '#bookings/snapshot.ts';
import type { Queryable } from '#db/database.ts';

export interface NoticeBooking {
  readonly booking: Booking;
  readonly workshop: ScopeWorkshop;
  /** The workshop's own text; null where the default is used. */
  readonly templateBody: string | null;
}

/** The booking as it is now. `notice` is the purpose of the workshop's template. */
export async function findNoticeBooking(
  db: Queryable,
  bookingId: string,
  notice: string,
): Promise<NoticeBooking | null> {
  const [row] = await db.query<NoticeBooking>(
    `SELECT ${bookingJson('b', 'c')} AS booking, t.body AS "templateBody",
            jsonb_build_object('name', w.name, 'slug', w.slug, 'phone', w.phone, 'email', w.email, 'timezone', w.timezone) AS workshop
       FROM booking b JOIN car c ON c.id = b.car_id JOIN workshop w ON w.id = b.workshop_id
       LEFT JOIN template t ON t.workshop_id = w.id AND t.status = 'published' AND t.purpose = $2
      WHERE b.id = $1`,
    [bookingId, notice],
  );
  return row ?? null;
}
