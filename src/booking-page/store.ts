/** SQL of the booking page: the workshop that it belongs to. */
import type { Queryable } from '#db/database.ts';
import type { Shop } from '#pages/shop.ts';
import { shopColumns } from '#workshops/shop/store.ts';

export interface PageWorkshop extends Shop {
  readonly workshopId: string;
  readonly slug: string;
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

const columns = `w.id AS "workshopId", w.slug, ${shopColumns('w')}, country, timezone, booking_page AS "bookingPage",
  customer_may_change AS "customerMayChange", horizon_days AS "horizonDays"`;

export async function findWorkshopBySlug(db: Queryable, slug: string): Promise<PageWorkshop | null> {
  const [row] = await db.query<PageWorkshop>(`SELECT ${columns} FROM workshop w WHERE slug = $1`, [slug]);
  return row ?? null;
}

export async function findPageWorkshop(db: Queryable, workshopId: string): Promise<PageWorkshop> {
  const [row] = await db.query<PageWorkshop>(`SELECT ${columns} FROM workshop w WHERE w.id = $1`, [
    workshopId,
  ]);
  if (row === undefined) throw new Error('the workshop of a booking is gone');
  return row;
}
