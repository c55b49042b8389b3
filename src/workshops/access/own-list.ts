/** A page of a partner's own rows: newest created first, or with `updatedSince` of the feed of their changes (areas, section 4). */
import type { Queryable } from '#db/database.ts';
import { Problem } from '#errors.ts';
import type { FeedPage, FeedPosition } from '#feed/store.ts';
import { feedCursorAt, readFeedCursor } from '#http/feed-cursor.ts';
import { cutPage, type Filters, pageOf } from '#http/paging.ts';
import { isId } from '#values/id.ts';
import { readGate } from './store.ts';

export interface OwnListRequest {
  readonly partnerId: string;
  /** Null: of all workshops. */
  readonly workshopId: string | null;
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
  /** Business time, for the feed; null: the list. */
  readonly since: Date | null;
  /** As a cursor is bound to them. */
  readonly filters: Readonly<Record<string, string | Date | undefined>>;
}

export interface OwnRows<Item> {
  /** `limit` rows of those before the id `after`, by id, the newest first. */
  list(after: string | null, limit: number): Promise<{ readonly id: string; readonly item: Item }[]>;
  feed(page: {
    readonly since: Date;
    readonly position: FeedPosition | null;
    readonly limit: number;
  }): Promise<FeedPage<Item>>;
}

export interface OwnPage<Item> {
  readonly items: readonly Item[];
  /** Never null in a feed. */
  readonly nextCursor: string | null;
}

/** Throws 404 030001 for a workshop that the partner is not linked to, 400 000001 for a cursor of another list. */
export async function listOwn<Item>(
  db: Queryable,
  { partnerId, workshopId, limit = 50, cursor, since, filters }: OwnListRequest,
  rows: OwnRows<Item>,
): Promise<OwnPage<Item>> {
  if (workshopId !== null && !(isId(workshopId) && (await readGate(db, partnerId, workshopId)))) {
    throw new Problem('030001');
  }
  const bound = textsOf({ ...filters, updatedSince: since ?? undefined });
  if (since === null) {
    const page = pageOf({ limit, ...(cursor === undefined ? {} : { cursor }) }, bound);
    const { items, nextCursor } = cutPage(await rows.list(page.after, page.limit + 1), page);
    return { items: items.map(({ item }) => item), nextCursor };
  }
  const position = cursor === undefined ? null : readFeedCursor(cursor, bound);
  const { items, ...end } = await rows.feed({ since, position, limit });
  return { items, nextCursor: feedCursorAt(end, bound) };
}

/** An instant has one notation. */
function textsOf(filters: OwnListRequest['filters']): Filters {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ]),
  );
}
