/** SQL of links to the booking page: the link between partner and workshop that they depend on. */
import type { Queryable } from '#platform/db/database.ts';
import { conditions, isOpen, usualRows } from '#product/workshops/access/conditions.ts';

export interface PageAccess {
  readonly slug: string;
  /** ISO 3166 */
  readonly country: string;
  readonly linkActive: boolean;
  /** The link and the partner are active. */
  readonly isOpen: boolean;
  readonly bookingPage: boolean;
  /** Links sealed with another version are revoked. */
  readonly version: number;
  /** Whether `serviceId` is an active service of the workshop. */
  readonly serviceKnown: boolean;
}

/** Whether the partner's links to the page work. */
export const isOpenPage = ({ isOpen: open, bookingPage }: PageAccess) => open && bookingPage;

/** Null when the partner was never linked to the workshop. */
export async function findPageAccess(
  db: Queryable,
  of: { readonly partnerId: string; readonly workshopId: string; readonly serviceId?: string | null },
): Promise<PageAccess | null> {
  const [row] = await db.query<PageAccess>(
    `SELECT w.slug, w.country, ${conditions.linkActive.sql(usualRows)} AS link_active, ${isOpen('dealing')} AS is_open, w.booking_page,
            l.booking_page_version AS version,
            EXISTS (SELECT FROM catalogue_service WHERE id = $3 AND workshop_id = w.id AND active) AS service_known
       FROM link l JOIN workshop w ON w.id = l.workshop_id JOIN partner p ON p.id = l.partner_id
      WHERE l.partner_id = $1 AND l.workshop_id = $2`,
    [of.partnerId, of.workshopId, of.serviceId ?? null],
  );
  return row ?? null;
}

/** Revokes all links to the booking page made so far. False when the two were never linked. */
export async function countUpVersion(db: Queryable, partnerId: string, workshopId: string): Promise<boolean> {
  const rows = await db.query(
    `UPDATE link SET booking_page_version = booking_page_version + 1 WHERE partner_id = $1 AND workshop_id = $2
     RETURNING partner_id`,
    [partnerId, workshopId],
  );
  return rows.length > 0;
}
