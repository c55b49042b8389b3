/** SQL of the booking page: the workshop that it belongs to. */

import { addDays, dateAt } from '#base/values/local-day.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { Bookable } from '#platform/pages/month.ts';
import type { Shop } from '#platform/pages/shop.ts';
import { shopColumns } from '#product/workshops/shop/store.ts';

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

const columns = `w.id AS workshop_id, ${shopColumns('w')}, country, timezone, booking_page,
  customer_may_change, horizon_days`;

export async function findWorkshopBySlug(db: Queryable, slug: string): Promise<PageWorkshop | null> {
  const [row] = await db.query<PageWorkshop>(`SELECT ${columns} FROM workshop w WHERE slug = $1`, [slug]);
  return row ?? null;
}

/** The dates that can be booked at a workshop. */
export function bookableOf(
  { timezone, horizonDays }: Pick<PageWorkshop, 'timezone' | 'horizonDays'>,
  now: Date,
): Bookable {
  const today = dateAt(now.getTime(), timezone);
  return { today, lastDate: addDays(today, horizonDays) };
}

export async function findPageWorkshop(db: Queryable, workshopId: string): Promise<PageWorkshop> {
  const [row] = await db.query<PageWorkshop>(`SELECT ${columns} FROM workshop w WHERE w.id = $1`, [
    workshopId,
  ]);
  if (row === undefined) throw new Error('the workshop of a booking is gone');
  return row;
}
