/**
 * SQL of lists of records, newest first, for their partner and for a workshop's staff, and of the feed of a partner's records. The ids
 * of a page are found first, by an index; then its rows are read.
 */
import type { Queryable } from '#platform/db/database.ts';
import { type FilterParameters, filterParameters } from '#platform/db/filters.ts';
import { highestId } from '#platform/db/page-bounds.ts';
import { planEachTime, planInOrder } from '#platform/db/plan-modes.ts';
import { type FeedPage, type FeedPosition, feedText, readFeed } from '#platform/feed/store.ts';
import type { AnyRecord, RecordType } from '../record.ts';

/** By parameter of the query, or by option; an absent filter (undefined or null) filters nothing. */
export type FilterValues = Readonly<Record<string, unknown>>;

export interface PageRequest {
  /** The partner, or the workshop. */
  readonly tenantId: string;
  /** All unless given. */
  readonly states?: readonly string[] | undefined;
  readonly filters: FilterValues;
  /** The position of the last row of the previous page, in the form of the order: `[id]` or `[instant, id]`; null: the first page. */
  readonly after: readonly unknown[] | null;
  readonly limit: number;
}

export interface Listed<Item> {
  readonly id: string;
  readonly item: Item;
}

/** SQL of the ids among which a page is found, and the WITH clause that it needs. */
export interface Found {
  readonly ids: string;
  readonly before?: string;
}

/** The parts of a list, for a record that finds its ids in a special way. */
export interface ListParts extends FilterParameters<string> {
  isSet(name: string): boolean;
  /** The newest ids: of each state by its index, then together. */
  readonly newest: string;
  /** The ids of few rows, by the index of a filter that finds them; null where no such filter is set. */
  readonly few: string | null;
}

type Side = 'partner' | 'staff';

/** The differences between partners and staff as readers; `partners` is for a FROM clause. */
function sideOf({ filters, staff }: AnyRecord, side: Side) {
  if (side === 'partner') {
    return { declared: filters, tenant: 'row.partner_id = $1::uuid', partners: '', ofPartner: [] };
  }
  return {
    declared: staff.filters,
    tenant: 'row.workshop_id = $1::uuid',
    // Reads the rows of each partner separately, by the index of workshop, partner and state.
    partners: `(SELECT partner_id FROM ${staff.links} WHERE workshop_id = $1::uuid) AS its CROSS JOIN `,
    ofPartner: ['row.partner_id = its.partner_id'],
  };
}

/** Parameters: `$1` the tenant, `$2` the states, then the position of `after`, then `limit`, then those of the filters. */
function partsOf(
  record: AnyRecord,
  side: Side,
  filters: FilterValues,
): ListParts & { readonly limit: string } {
  const { table, state, order } = record;
  const { declared, tenant, partners, ofPartner } = sideOf(record, side);
  const keys = keysOf(record);
  const hasOwn = side === 'staff' && record.staff.hasOwn === true;
  const limit = `$${3 + keys.length}::integer`;
  const parameters = filterParameters(declared, filters, 4 + keys.length);
  // By an instant: the first condition tells the planner that an index of the rows that have one will do.
  const isAfter =
    order === 'id'
      ? 'row.id < $3::uuid'
      : `row.${order.column} <= $3::timestamptz AND (${inOrder(keys, 'row')}) < ($3::timestamptz, $4::uuid)`;
  const conditions = (...own: string[]) => [tenant, ...own, isAfter, ...parameters.conditions].join(' AND ');
  const isSet = (name: string) => (filters[name] ?? null) !== null;
  // OFFSET 0: found by what finds them and then sorted, never searched for in the order of the list, whatever the statistics say.
  const finding = Object.keys(declared).filter((name) => declared[name]?.finds && isSet(name));
  const foundBy = [tenant, ...finding.map((name) => declared[name]?.is(parameters.$(name)))].join(' AND ');
  const found = `(SELECT * FROM ${table} AS row WHERE ${foundBy} OFFSET 0)`;
  const ofStates = conditions(`row.${state.name} = ANY ($2::text[])`);
  const newest = (from: string, own: readonly string[]) =>
    `SELECT ${inOrder(keys, 'own')} FROM ${from}unnest($2::text[]) AS wanted (${state.name}) CROSS JOIN LATERAL (
      SELECT ${inOrder(keys, 'row')} FROM ${table} AS row
       WHERE ${conditions(...own, `row.${state.name} = wanted.${state.name}`)}
       ORDER BY ${inOrder(keys, 'row', ' DESC')} LIMIT ${limit}) AS own`;
  return {
    ...parameters,
    ...{ limit, isSet },
    newest: [newest(partners, ofPartner), ...(hasOwn ? [newest('', ['row.partner_id IS NULL'])] : [])].join(
      '\n    UNION ALL ',
    ),
    few:
      finding.length === 0 ? null : `SELECT ${inOrder(keys, 'row')} FROM ${found} AS row WHERE ${ofStates}`,
  };
}

const keysOf = ({ order }: AnyRecord) => (order === 'id' ? ['id'] : [order.column, 'id']);
const inOrder = (keys: readonly string[], row: string, more = '') =>
  keys.map((key) => `${row}.${key}${more}`).join(', ');

const findIds = ({ few, newest }: ListParts): Found => ({ ids: few ?? newest });

/** The statement of a page; `find` for a record that finds its ids in a way of its own. */
export function listStatement(
  record: AnyRecord,
  side: Side,
  { tenantId, states, filters, after, limit }: PageRequest,
  find: (parts: ListParts) => Found = findIds,
) {
  const parts = partsOf(record, side, filters);
  const found = find(parts);
  const { json, joins } = record[side];
  const keys = keysOf(record);
  const columns = keys.join(', ');
  const newestFirst = keys.map((key) => `${key} DESC`).join(', ');
  const first = keys.length === 1 ? [highestId] : ['infinity', highestId];
  const text = `${found.before ?? ''}SELECT page.id, own.item
    FROM (SELECT ${columns} FROM (${found.ids}) AS found ORDER BY ${newestFirst} LIMIT ${parts.limit}) AS page
   CROSS JOIN LATERAL (
     SELECT ${json('row')} AS item FROM ${record.table} AS row ${joins('row')} WHERE row.id = page.id LIMIT 1) AS own
   ORDER BY ${inOrder(keys, 'page', ' DESC')}`;
  // A partner's list without filters has one plan that is the best for all; making it takes a third of the time of the list.
  const isWhole = side === 'partner' && parts.values.length === 0;
  return {
    text: isWhole ? planInOrder(text) : planEachTime(text),
    values: [tenantId, states ?? record.state.all, ...(after ?? first), limit, ...parts.values],
  };
}

export interface FeedRequest extends Omit<PageRequest, 'after'> {
  /** Business time. */
  readonly since: Date;
  readonly position: FeedPosition | null;
}

/** The statement of a page of a partner's feed; `values` follow the first three, those of `feedParameters`. */
export function feedStatement(
  { table, state, filters: declared, partner: { json, joins } }: AnyRecord,
  { tenantId, states, filters }: Pick<FeedRequest, 'tenantId' | 'states' | 'filters'>,
) {
  const { conditions, values } = filterParameters(declared, filters, 6);
  const matches = [`row.${state.name} = ANY ($5::text[])`, ...conditions].join(' AND ');
  const text = feedText({
    ...{ table, tenant: 'row.partner_id = $4::uuid', matches },
    ...{ item: json('row'), joins: joins('row') },
  });
  return { text, values: [tenantId, states ?? state.all, ...values] };
}

/** The partner's records that have changed since, in the order in which the changes became visible. */
export function readRecordFeed<Item>(
  db: Queryable,
  record: RecordType<Item>,
  request: FeedRequest,
): Promise<FeedPage<Item>> {
  const { text, values } = feedStatement(record, request);
  return readFeed<Item>(db, text, [request.since, request.position, request.limit], values);
}

/** Reads one page of a partner's records. */
export type ReadPage<Item> = (db: Queryable, request: PageRequest) => Promise<Listed<Item>[]>;

/** The page as `find` finds its ids; by the declaration unless given. */
export function pageOfRecords<Item>(
  record: RecordType<Item>,
  find?: (parts: ListParts) => Found,
): ReadPage<Item> {
  return (db, request) => {
    const { text, values } = listStatement(record, 'partner', request, find);
    return db.query<Listed<Item>>(text, values);
  };
}
