/** SQL of a partner's quotes: the list, newest first, and the feed of changes. */
import type { Queryable } from '#db/database.ts';
import { filterParameters, lastId, newestIds } from '#feed/list/store.ts';
import { type FeedPage, type FeedPosition, feedText, readFeed } from '#feed/store.ts';
import { type Quote, type QuoteStatus, quoteStatuses } from '../schema.ts';
import { quoteJson } from '../snapshot.ts';

/** The filters of a list; an absent one filters nothing. */
export interface QuoteFilters {
  readonly workshopId?: string;
  readonly status?: QuoteStatus;
  readonly externalId?: string;
}

const columns = {
  workshopId: { type: 'uuid', is: (value: string) => `row.workshop_id = ${value}` },
  externalId: { type: 'text', is: (value: string) => `row.external_id = ${value}` },
} as const;

const statusesOf = ({ status }: QuoteFilters) => (status === undefined ? quoteStatuses : [status]);

interface Text {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Exported for tests that read its plan. */
export function quoteListStatement(
  partnerId: string,
  filters: QuoteFilters,
  after: string | null,
  limit: number,
): Text {
  const { conditions, values } = filterParameters(columns, filters, 5);
  const own = ['row.partner_id = $1::uuid', 'row.status = ANY ($2::text[])', 'row.id < $3::uuid'];
  const ids =
    filters.externalId === undefined
      ? newestIds('quote', conditions)
      : `SELECT row.id FROM quote AS row WHERE ${[...own, ...conditions].join(' AND ')}`;
  const text = `SELECT page.id, own.item
    FROM (SELECT id FROM (${ids}) AS found ORDER BY id DESC LIMIT $4::integer) AS page
   CROSS JOIN LATERAL (
     SELECT ${quoteJson('q', 'c')} AS item FROM quote q JOIN car c ON c.id = q.car_id WHERE q.id = page.id LIMIT 1) AS own
   ORDER BY page.id DESC`;
  return { text, values: [partnerId, statusesOf(filters), after ?? lastId, limit, ...values] };
}

/** The partner's quotes, newest first: `limit` of those before the id `after`. */
export function listQuotes(
  db: Queryable,
  partnerId: string,
  filters: QuoteFilters,
  after: string | null,
  limit: number,
): Promise<{ readonly id: string; readonly item: Quote }[]> {
  const { text, values } = quoteListStatement(partnerId, filters, after, limit);
  return db.query(text, values);
}

/** Exported for tests that read its plan. */
export function quoteFeedText(filters: QuoteFilters): Text {
  const { conditions, values } = filterParameters(columns, filters, 8);
  const text = feedText({
    table: 'quote',
    tenant: 'row.partner_id = $6::uuid',
    matches: ['row.status = ANY ($7::text[])', ...conditions].join(' AND '),
    item: quoteJson('row', 'c'),
    joins: 'JOIN car c ON c.id = row.car_id',
  });
  return { text, values: [statusesOf(filters), ...values] };
}

/** The partner's quotes that have changed since, in the order in which the changes became visible. */
export function readQuoteFeed(
  db: Queryable,
  partnerId: string,
  filters: QuoteFilters,
  page: { readonly since: Date; readonly position: FeedPosition | null; readonly limit: number },
): Promise<FeedPage<Quote>> {
  const { text, values } = quoteFeedText(filters);
  return readFeed<Quote>(db, text, [page.since, page.position, page.limit], [partnerId, ...values]);
}
