/** SQL of the workshop of a customer's page. */

import type { Queryable } from '#platform/db/database.ts';
import type { Shop } from '#platform/pages/shop.ts';
import { shopPairs } from '#product/workshops/shop/store.ts';

export interface PageWorkshop extends Shop {
  readonly workshopId: string;
  /** ISO 3166 */
  readonly country: string;
  /** IANA name. */
  readonly timezone: string;
  /** Whether its booking page is on. */
  readonly bookingPage: boolean;
  /** Whether customers may move and cancel their bookings. */
  readonly customerMayChange: boolean;
  readonly horizonDays: number;
}

/** A `PageWorkshop` as JSON, of a workshop row `w`. */
export const pageWorkshopJson = (w: string) =>
  `jsonb_build_object('workshopId', ${w}.id, ${shopPairs(w)}, 'country', ${w}.country, 'timezone', ${w}.timezone,
     'bookingPage', ${w}.booking_page, 'customerMayChange', ${w}.customer_may_change, 'horizonDays', ${w}.horizon_days)`;

interface Found {
  readonly shop: PageWorkshop;
}

export async function findWorkshopBySlug(db: Queryable, slug: string): Promise<PageWorkshop | null> {
  const [row] = await db.query<Found>(
    `SELECT ${pageWorkshopJson('w')} AS shop FROM workshop w WHERE slug = $1`,
    [slug],
  );
  return row?.shop ?? null;
}

export async function findPageWorkshop(db: Queryable, workshopId: string): Promise<PageWorkshop> {
  const [row] = await db.query<Found>(
    `SELECT ${pageWorkshopJson('w')} AS shop FROM workshop w WHERE w.id = $1`,
    [workshopId],
  );
  if (row === undefined) throw new Error('the workshop of a booking is gone');
  return row.shop;
}
