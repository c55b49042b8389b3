/** SQL of the customer's page: a quote with its workshop. */
import type { Queryable } from '#platform/db/database.ts';
import { instantJson } from '#platform/db/json.ts';
import { type PageWorkshop, pageWorkshopJson } from '#product/customer-pages/store.ts';
import { isOpen } from '#product/workshops/access/conditions.ts';
import type { Quote } from '../schema.ts';
import { quoteJson } from '../snapshot.ts';

export interface PageQuote {
  readonly quote: Quote;
  readonly version: number;
  readonly serviceMinutes: readonly number[];
  /** Null: the workshop's own. */
  readonly partnerId: string | null;
  /** The partner is active, and so is its link to the workshop; always for the workshop's own. */
  readonly isOpen: boolean;
  readonly shop: PageWorkshop;
  /** The present time of the booking that the acceptance made; null before. */
  readonly bookedFor: string | null;
}

/** Null also for a quote whose customer was erased. */
export async function findPageQuote(db: Queryable, code: string): Promise<PageQuote | null> {
  const [row] = await db.query<PageQuote>(
    `SELECT ${quoteJson('q', 'c')} AS quote, q.version, q.service_minutes, q.partner_id,
            q.partner_id IS NULL OR ${isOpen('dealing')} AS is_open, ${instantJson('b.date')} AS booked_for,
            ${pageWorkshopJson('w')} AS shop
       FROM quote q JOIN car c ON c.id = q.car_id JOIN workshop w ON w.id = q.workshop_id LEFT JOIN partner p ON p.id = q.partner_id
       LEFT JOIN link l ON l.partner_id = q.partner_id AND l.workshop_id = q.workshop_id LEFT JOIN booking b ON b.id = q.booking_id
      WHERE q.code = $1 AND q.contact_phone <> ''`,
    [code],
  );
  return row ?? null;
}
