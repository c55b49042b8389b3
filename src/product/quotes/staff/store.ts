/** SQL of quotes for the workshop's staff: lists by status, and the recipients of a price's notices. */

import type { Queryable } from '#platform/db/database.ts';
import { afterId, beforeId } from '#platform/db/page-bounds.ts';
import type { Addressee } from '#product/bookings/staff/telling.ts';
import type { ServiceItem } from '#product/catalogue/item.ts';
import { hasBounced } from '#product/customers/store.ts';
import type { QuoteStatus } from '../schema.ts';

export interface ListedQuote {
  readonly id: string;
  readonly code: string;
  readonly customerId: string;
  readonly name: string;
  readonly rego: string;
  readonly services: readonly ServiceItem[];
  readonly total: number | null;
  readonly validUntil: Date | null;
  /** Null: the workshop's own. */
  readonly partner: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface QuotePage {
  readonly workshopId: string;
  readonly status: QuoteStatus;
  /** The last quote of the previous page; null: the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** For each partner of the workshop, and of its own, one page by its index; of these rows the first ones. */
const listed = (rows: string, order: 'ASC' | 'DESC') =>
  `SELECT q.id, q.code, q.customer_id, q.contact_name AS name, car.rego, q.services, q.total::float8 AS total, q.valid_until,
          partner.name AS partner, q.created_at, q.updated_at
     FROM (SELECT its.* FROM link CROSS JOIN LATERAL (
             SELECT * FROM quote WHERE workshop_id = link.workshop_id AND partner_id = link.partner_id AND status = $2 AND ${rows}
              ORDER BY id ${order} LIMIT $4) AS its
            WHERE link.workshop_id = $1
           UNION ALL (
             SELECT * FROM quote WHERE workshop_id = $1 AND partner_id IS NULL AND status = $2 AND ${rows}
              ORDER BY id ${order} LIMIT $4)) AS q
     JOIN car ON car.id = q.car_id LEFT JOIN partner ON partner.id = q.partner_id
    ORDER BY q.id ${order} LIMIT $4`;
const oldestFirst = listed(afterId('id', '$3'), 'ASC');
const newestFirst = listed(beforeId('id', '$3'), 'DESC');

/** A workshop's quotes of one status. Quotes to be priced are listed oldest first, others newest first. */
export function listWorkshopQuotes(
  db: Queryable,
  { workshopId, status, after, limit }: QuotePage,
): Promise<ListedQuote[]> {
  const text = status === 'requested' ? oldestFirst : newestFirst;
  return db.query<ListedQuote>(text, [workshopId, status, after, limit]);
}

export interface QuoteTelling extends Addressee {
  /** Empty: it has none. */
  readonly email: string;
  /** E-mails to it bounce. */
  readonly emailBounced: boolean;
}

/** The recipients of a quote's notices; null: there is no such quote. */
export async function readQuoteTelling(db: Queryable, quoteId: string): Promise<QuoteTelling | null> {
  const [row] = await db.query<QuoteTelling>(
    `SELECT q.contact_phone AS phone, q.contact_email AS email, ${hasBounced('k', 'q.contact_email')} AS email_bounced,
            w.country, q.contact_phone = '' AS erased, k.opted_out_at IS NOT NULL AS opted_out
       FROM quote q JOIN workshop w ON w.id = q.workshop_id JOIN customer own ON own.id = q.customer_id
       JOIN customer k ON k.id = coalesce(own.merged_into, own.id)
      WHERE q.id = $1`,
    [quoteId],
  );
  return row ?? null;
}
