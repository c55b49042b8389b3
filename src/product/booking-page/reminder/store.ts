/** SQL of the reminder behind the link in its SMS. */

import type { ShownCar } from '#base/values/car-text.ts';
import type { Queryable } from '#platform/db/database.ts';
import { reminderIsOpenSql } from '#product/bookings/reminder-code/store.ts';
import type { ServiceCategory } from '#product/catalogue/categories.ts';

export interface RemindedVisit {
  readonly partnerId: string;
  readonly workshopId: string;
  readonly slug: string;
  /** The version of links to the booking page that are not revoked. */
  readonly version: number;
  /** Whether a booking can still be made with the code. */
  readonly isOpen: boolean;
  /** Null: no car, or an erased person. */
  readonly rego: string | null;
  readonly car: ShownCar | null;
  /** Null: unknown, or an erased person. */
  readonly firstName: string | null;
  /** The last work; a service only while it is offered. */
  readonly serviceCategory: ServiceCategory | null;
  readonly catalogId: string | null;
}

/** `code` in its stored form. */
export async function findRemindedVisit(db: Queryable, code: string): Promise<RemindedVisit | null> {
  const [row] = await db.query<RemindedVisit>(
    `SELECT r.partner_id, r.workshop_id, w.slug, l.booking_page_version AS version,
            ${reminderIsOpenSql('r')} AS is_open, CASE WHEN k.erased_at IS NULL THEN r.car->>'rego' END AS rego,
            CASE WHEN k.erased_at IS NULL THEN nullif(r.car, 'null') END AS car,
            CASE WHEN k.erased_at IS NULL THEN r.customer->>'firstName' END AS first_name, b.service_category, s.id AS catalog_id
       FROM service_reminder r JOIN workshop w ON w.id = r.workshop_id JOIN customer k ON k.id = r.customer_id
       JOIN link l ON l.partner_id = r.partner_id AND l.workshop_id = r.workshop_id
       LEFT JOIN booking b ON b.id = r.last_booking_id
       LEFT JOIN catalogue_service s ON s.id = r.last_service_id AND s.workshop_id = r.workshop_id AND s.active
      WHERE r.code = $1`,
    [code],
  );
  return row ?? null;
}
