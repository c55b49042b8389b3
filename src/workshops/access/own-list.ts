/** A page of a partner's own rows: newest created first, or with `updatedSince` of the feed of their changes (specification: Lists and feeds 2 and 3). */
import type { Context } from '#context.ts';
import type { Queryable } from '#db/database.ts';
import { Problem } from '#errors.ts';
import type { OwnRows } from '#feed/list/store.ts';
import { checkedInstant } from '#http/checked-instant.ts';
import { feedCursorAt, readFeedCursor } from '#http/feed-cursor.ts';
import { filterTexts } from '#http/list-filters.ts';
import { cutPage, type PageQuery, pageOf } from '#http/paging.ts';
import { isId } from '#values/id.ts';
import { readGate } from './store.ts';

export interface OwnListQuery extends PageQuery {
  /** Business time: the feed of changes since then. */
  readonly updatedSince?: string;
}

export interface OwnPage<Item> {
  readonly items: Item[];
  /** Never null in a feed. */
  readonly nextCursor: string | null;
}

/** Throws 404 030001 for a workshop that the partner is not linked to, 400 000001 for a cursor of another list. */
export async function listOwn<Filters extends { readonly workshopId?: string }, Item>(
  { db, sealing }: Pick<Context, 'db' | 'sealing'>,
  rows: OwnRows<Filters, Item>,
  partnerId: string,
  { limit = 50, cursor, updatedSince }: OwnListQuery,
  filters: Filters,
): Promise<OwnPage<Item>> {
  await requireOwnWorkshop(db, partnerId, filters);
  const since = updatedSince === undefined ? undefined : checkedInstant(updatedSince);
  const listed = { list: rows.table, filters: filterTexts({ ...filters, updatedSince: since }) };
  if (since === undefined) {
    const page = pageOf({ limit, cursor }, listed);
    const { items, nextCursor } = cutPage(
      await rows.list(db, partnerId, filters, page.after, page.limit + 1),
      page,
    );
    return { items: items.map(({ item }) => item), nextCursor };
  }
  const position = cursor === undefined ? null : readFeedCursor(sealing, cursor, listed);
  const page = await rows.feed(db, partnerId, filters, { since, position, limit });
  return { items: [...page.items], nextCursor: feedCursorAt(sealing, page, listed, cursor) };
}

/** Throws 404 030001 when a filter names a workshop that the partner is not linked to. */
export async function requireOwnWorkshop(
  db: Queryable,
  partnerId: string,
  { workshopId }: { readonly workshopId?: string },
): Promise<void> {
  if (workshopId === undefined) return;
  if (!(isId(workshopId) && (await readGate(db, partnerId, workshopId)))) throw new Problem('030001');
}
