/** SQL of the workshop's side: all quotes of a workshop, of any partner. */
import type { Queryable } from '#db/database.ts';
import { beforeId } from '#db/page-bounds.ts';
import type { Quote, QuoteStatus } from '../schema.ts';
import { quoteJson } from '../snapshot.ts';

/** A quote as its workshop sees it. */
export interface WorkshopQuote extends Quote {
  readonly partnerId: string;
  readonly partner: string;
  /** The workshop's time zone; IANA name. */
  readonly timezone: string;
  /** The workshop's, ISO 3166; the currency of amounts follows from it. */
  readonly country: string;
}

const columns = `${quoteJson('q', 'c')} || jsonb_build_object('partnerId', q.partner_id, 'partner', p.name, 'timezone', w.timezone, 'country', w.country) AS quote`;
const joins = `JOIN car c ON c.id = q.car_id JOIN workshop w ON w.id = q.workshop_id JOIN partner p ON p.id = q.partner_id`;

/** Finds a quote by its id or code. */
export async function findWorkshopQuote(
  db: Queryable,
  by: { readonly id: string } | { readonly code: string },
): Promise<WorkshopQuote | null> {
  const [row] = await db.query<{ quote: WorkshopQuote }>(
    'id' in by
      ? `SELECT ${columns} FROM quote q ${joins} WHERE q.id = $1`
      : `SELECT ${columns} FROM quote q ${joins} WHERE q.code = $1`,
    ['id' in by ? by.id : by.code],
  );
  return row?.quote ?? null;
}

export interface WorkshopQuotes {
  readonly workshopId: string;
  readonly statuses: readonly QuoteStatus[];
  /** The last quote of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/** A workshop's quotes, the newest first. */
export async function listWorkshopQuotes(db: Queryable, of: WorkshopQuotes): Promise<WorkshopQuote[]> {
  const rows = await db.query<{ quote: WorkshopQuote }>(
    `SELECT ${columns} FROM quote q ${joins}
      WHERE q.workshop_id = $1 AND q.status = ANY ($2::text[]) AND ${beforeId('q.id', '$3')}
      ORDER BY q.id DESC LIMIT $4`,
    [of.workshopId, of.statuses, of.before, of.limit],
  );
  return rows.map(({ quote }) => quote);
}
