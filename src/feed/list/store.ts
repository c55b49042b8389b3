/** SQL of a partner's own rows: the list, newest created first, and the feed of their changes, with the same filters. */
import type { Queryable } from '#db/database.ts';
import { type FilterColumns, type FilterParameters, filterParameters } from '#db/filters.ts';
import { highestId } from '#db/page-bounds.ts';
import { planEachTime } from '#db/plan-modes.ts';
import { type FeedPage, type FeedPosition, feedText, readFeed } from '../store.ts';

/**
 * The newest ids, for `SELECT … ORDER BY id DESC`: one status after the other, each by its index. Takes the partner as `$1`, the
 * statuses as `$2`, the id that they come before as `$3`, and how many as `$4`.
 */
export function newestIds(table: string, conditions: readonly string[]): string {
  return `SELECT own.id FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
      SELECT row.id FROM ${table} AS row
       WHERE ${['row.partner_id = $1::uuid', 'row.status = wanted.status', 'row.id < $3::uuid', ...conditions].join(' AND ')}
       ORDER BY row.id DESC LIMIT $4::integer) AS own`;
}

/** The ids of few rows, for `SELECT … ORDER BY id DESC`, with the parameters of `newestIds`. */
export function fewIds(table: string, conditions: readonly string[]): string {
  const own = ['row.partner_id = $1::uuid', 'row.status = ANY ($2::text[])', 'row.id < $3::uuid'];
  return `SELECT row.id FROM ${table} AS row WHERE ${[...own, ...conditions].join(' AND ')}`;
}

export interface OwnTable<Name extends string> {
  /** With columns `id`, `partner_id`, `status` and those of a feed, and an index of `partner_id`, `status` and `id`. */
  readonly table: string;
  readonly statuses: readonly string[];
  /** The filters beside `status`. */
  readonly columns: FilterColumns<Name>;
  /** A jsonb expression of `row`, and the joins that it needs. */
  readonly item: string;
  readonly joins: string;
  /** SQL of the ids that a list finds, with the parameters of `newestIds`, and the WITH clause that it needs. */
  readonly ids: (
    parameters: FilterParameters<Name>,
    isSet: (name: Name) => boolean,
  ) => { readonly ids: string; readonly before?: string };
}

/** An absent filter filters nothing. */
export type OwnFilters<Name extends string> = Readonly<Partial<Record<Name, unknown>>> & {
  readonly status?: string;
};

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface FeedRequest {
  /** Business time. */
  readonly since: Date;
  readonly position: FeedPosition | null;
  readonly limit: number;
}

export interface OwnRows<Filters, Item> {
  readonly table: string;
  /** `limit` of the partner's rows before the id `after`, the newest first. */
  list(
    db: Queryable,
    partnerId: string,
    filters: Filters,
    after: string | null,
    limit: number,
  ): Promise<{ readonly id: string; readonly item: Item }[]>;
  /** The partner's rows that have changed since, in the order in which the changes became visible. */
  feed(db: Queryable, partnerId: string, filters: Filters, page: FeedRequest): Promise<FeedPage<Item>>;
}

/** The statement of a page of a list. */
export function listStatement<Name extends string>(
  { table, statuses, columns, item, joins, ids }: OwnTable<Name>,
  partnerId: string,
  filters: OwnFilters<Name>,
  after: string | null,
  limit: number,
): Statement {
  const parameters = filterParameters(columns, filters, 5);
  const found = ids(parameters, (name) => (filters[name] ?? null) !== null);
  const text = `${found.before ?? ''}SELECT page.id, own.item
    FROM (SELECT id FROM (${found.ids}) AS found ORDER BY id DESC LIMIT $4::integer) AS page
   CROSS JOIN LATERAL (
     SELECT ${item} AS item FROM ${table} AS row ${joins} WHERE row.id = page.id LIMIT 1) AS own
   ORDER BY page.id DESC`;
  const wanted = (filters.status ?? null) === null ? statuses : [filters.status];
  return {
    text: planEachTime(text),
    values: [partnerId, wanted, after ?? highestId, limit, ...parameters.values],
  };
}

/** The statement of a page of a feed; `values` follow the partner's id. */
export function feedStatement<Name extends string>(
  { table, statuses, columns, item, joins }: OwnTable<Name>,
  filters: OwnFilters<Name>,
): Statement {
  const { conditions, values } = filterParameters(columns, filters, 6);
  const matches = ['row.status = ANY ($5::text[])', ...conditions].join(' AND ');
  const text = feedText({ table, tenant: 'row.partner_id = $4::uuid', matches, item, joins });
  return { text, values: [(filters.status ?? null) === null ? statuses : [filters.status], ...values] };
}

export function ownRows<Name extends string, Filters extends OwnFilters<Name>, Item>(
  of: OwnTable<Name>,
): OwnRows<Filters, Item> {
  return {
    table: of.table,
    list(db, partnerId, filters, after, limit) {
      const { text, values } = listStatement(of, partnerId, filters, after, limit);
      return db.query(text, values);
    },
    feed(db, partnerId, filters, { since, position, limit }) {
      const { text, values } = feedStatement(of, filters);
      return readFeed<Item>(db, text, [since, position, limit], [partnerId, ...values]);
    },
  };
}
