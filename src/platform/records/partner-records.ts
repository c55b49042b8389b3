/** A partner's own records: one by its id, and a page of its list, newest first, or with `updatedSince` of the feed of their changes. */

import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { checkedInstant } from '#platform/http/checked-instant.ts';
import { feedCursorAt, readFeedCursor } from '#platform/http/feed-cursor.ts';
import { filterTexts } from '#platform/http/list-filters.ts';
import { cutPage, pageOf, timedPageOf } from '#platform/http/paging.ts';
import { pageOfRecords, type ReadPage, readRecordFeed } from './list/store.ts';
import type { Filters, RecordType } from './record.ts';
import { type RecordName, readRecord, type Versioned } from './store.ts';

/** Throws the record's 404 for an unknown id or code, or one of another partner. */
export async function requirePartnerRecord<Item>(
  db: Queryable,
  record: RecordType<Item>,
  partnerId: string,
  name: RecordName | null,
): Promise<Versioned<Item>> {
  const found = name && (await readRecord(db, record, partnerId, name));
  if (found === null) throw new Problem(record.notFound);
  return found;
}

/** Null for a text that is not an id. */
export const byId = (text: string): RecordName | null => (isId(text) ? { id: text } : null);

/** An id, or a code in any notation; null for a text that can be neither. */
export function byIdOrCode({ readCode }: Pick<RecordType, 'readCode'>, text: string): RecordName | null {
  if (isId(text)) return { id: text };
  const code = readCode?.(text) ?? null;
  return code === null ? null : { code };
}

/** Validated by the schema: `limit`, `cursor`, `updatedSince`, and filters. */
export type PartnerListQuery = Readonly<Record<string, string | number | undefined>>;

export type PartnerListPage<Item, Plural extends string> = { readonly success: true } & {
  readonly [Name in Plural]: Item[];
} & {
  /** Never null in a feed. */
  readonly nextCursor: string | null;
};

/** Throws what the filters throw, and 400 000001 for a cursor of another list. */
export async function listPartnerRecords<Item, Plural extends string>(
  { db, sealing }: Pick<Context, 'db' | 'sealing'>,
  record: RecordType<Item, never, string, Plural>,
  partnerId: string,
  query: PartnerListQuery,
  readPage: ReadPage<Item> = pageOfRecords(record),
): Promise<PartnerListPage<Item, Plural>> {
  const filters = valuesOf(record.filters, query);
  for (const [name, filter] of Object.entries(record.filters)) {
    if (filters[name] !== undefined) await filter.require?.(db, partnerId, filters[name]);
  }
  const text = (name: string) => (query[name] === undefined ? undefined : String(query[name]));
  const [state, cursor] = [text(record.state.name), text('cursor')];
  // A list without a feed does not have this parameter, so the schema has not checked it.
  const updatedSince = record.hasFeed ? text('updatedSince') : undefined;
  const since = updatedSince === undefined ? undefined : checkedInstant(updatedSince);
  const narrowed = { ...filters, [record.state.name]: state, updatedSince: since };
  const listed = { list: record.list, filters: filterTexts(narrowed) };
  const limit = Number(query['limit'] ?? 50);
  const request = { tenantId: partnerId, states: state === undefined ? undefined : [state], filters, limit };
  const answer = (items: readonly Item[], nextCursor: string | null) =>
    ({ success: true, [record.plural]: items, nextCursor }) as PartnerListPage<Item, Plural>;

  if (since !== undefined) {
    const position = cursor === undefined ? null : readFeedCursor(sealing, cursor, listed);
    const page = await readRecordFeed(db, record, { ...request, since, position });
    return answer(page.items, feedCursorAt(sealing, page, listed, cursor));
  }
  const { order } = record;
  const page = (order === 'id' ? pageOf : timedPageOf)({ limit, cursor }, listed);
  const after = typeof page.after === 'string' ? [page.after] : page.after && [page.after.at, page.after.id];
  const { items, nextCursor } = cutPage(
    await readPage(db, { ...request, after, limit: limit + 1 }),
    page,
    ({ id, item }) =>
      order === 'id' ? [id] : [(item as Readonly<Record<string, string>>)[order.key] ?? '', id],
  );
  return answer(
    items.map(({ item }) => item),
    nextCursor,
  );
}

/** The values of the filters that the query names, as they are compared. */
function valuesOf(
  filters: Filters,
  query: PartnerListQuery,
): Readonly<Record<string, string | Date | undefined>> {
  const set = Object.entries(filters).flatMap(([name, { read = (text: string) => text }]) =>
    query[name] === undefined ? [] : [[name, read(String(query[name]))]],
  );
  return Object.fromEntries(set);
}
