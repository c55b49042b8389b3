/** Lists are paged by `limit` and an opaque `cursor` (specification: Lists and feeds 1). */
import { createHash } from 'node:crypto';
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox';
import { isId } from '#base/values/id.ts';
import { parseInstant } from '#base/values/instant.ts';
import { invalidFields } from '#errors.ts';
import { checkedInstant } from './checked-instant.ts';
import { nullable, out } from './fields.ts';

export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Items in one answer, at most 200.' }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'The `nextCursor` of the answer before; absent for the first page.',
    }),
  ),
};

export const nextCursor = nullable(
  out.string('The `cursor` of the next page. Null at the end; never null in a feed of changes.'),
);

/** The filters of a list. A cursor is valid with the same list and filters only. */
export type Filters = Readonly<Record<string, string | undefined>>;

/** A list by its name, with its filters. */
export interface Listed {
  readonly list: string;
  /** Without filters here, a cursor is valid with all filters. */
  readonly filters?: Filters;
}

/** The answer of a list: `success`, the items under their name, and `nextCursor`. */
export function pageOfItems<Name extends string, Item extends TSchema>(
  name: Name,
  item: Item,
  description: string,
): TUnsafe<{ success: true; nextCursor: string | null } & { [Key in Name]: Static<Item>[] }> {
  const items = out.list(item, 'The items of this page.');
  const fields = { success: out.success(true), [name]: items, nextCursor };
  return Type.Unsafe(Type.Object(fields, { description }));
}

/** The page that a request asks for. */
export interface PageQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

interface PageAfter<Position> extends Listed {
  readonly limit: number;
  /** The position of the last item of the previous page. */
  readonly after: Position | null;
}
/** A page by id. */
export type Page = PageAfter<string>;
/** A page by time and id. */
export type TimedPage = PageAfter<{ readonly at: Date; readonly id: string }>;

/** A cursor at this position of a list; `readCursor` gives the parts back. No part has a space in it. */
export function cursorAt(position: readonly string[], listed: Listed): string {
  return Buffer.from([...position, digestOf(listed)].join(' '), 'latin1').toString('base64url');
}

export const foreignCursor = 'is not a cursor that this list gave out';

/** True for a text in the form of `cursorAt`, of any list. */
export function hasCursorForm(cursor: string): boolean {
  const [, ...rest] = partsOf(cursor);
  return /^[\w-]{12}$/.test(rest.at(-1) ?? '');
}

/** Splits a cursor into the parts that `cursorAt` joined. */
export const partsOf = (cursor: string) => Buffer.from(cursor, 'base64url').toString('latin1').split(' ');

/** The position of a cursor, of parts in these forms; 400 000001 when this list did not issue it, or issued it for other filters. */
export function readCursor(
  cursor: string,
  forms: readonly ((part: string) => boolean)[],
  listed: Listed,
): string[] {
  const parts = partsOf(cursor);
  const position = parts.slice(0, forms.length);
  if (parts.length !== forms.length + 1 || !forms.every((hasForm, index) => hasForm(position[index] ?? ''))) {
    throw invalidFields([{ field: 'cursor', message: foreignCursor }]);
  }
  if (parts.at(-1) !== digestOf(listed)) {
    const message =
      'was given out by another list, or with other filters: send those of that request beside it, or no cursor';
    throw invalidFields([{ field: 'cursor', message }]);
  }
  return position;
}

function digestOf({ list, filters = {} }: Listed): string {
  const set = Object.entries(filters).filter(([, value]) => value !== undefined);
  const text = JSON.stringify([list, set.sort(([one], [other]) => (one < other ? -1 : 1))]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

/** The page by id that a query asks for; 400 000001 for a cursor that this list did not issue. */
export function pageOf({ limit = 50, cursor }: PageQuery, listed: Listed): Page {
  const [after = null] = cursor === undefined ? [] : readCursor(cursor, [isId], listed);
  return { limit, after, ...listed };
}

/** The page by time and id that a query asks for; 400 000001 for a cursor that this list did not issue. */
export function timedPageOf({ limit = 50, cursor }: PageQuery, listed: Listed): TimedPage {
  if (cursor === undefined) return { limit, after: null, ...listed };
  const isInstant = (part: string) => parseInstant(part) !== null;
  const [at = '', id = ''] = readCursor(cursor, [isInstant, isId], listed);
  return { limit, after: { at: checkedInstant(at), id }, ...listed };
}

/** Makes a page of rows: the caller read one more than the limit, which tells whether there is a next page. */
export function cutPage<Row extends { readonly id: string }>(
  rows: readonly Row[],
  page: PageAfter<unknown>,
  positionOf: (row: Row) => readonly string[] = ({ id }) => [id],
): { items: Row[]; nextCursor: string | null } {
  const items = rows.slice(0, page.limit);
  const last = items.at(-1);
  const more = rows.length > page.limit && last !== undefined;
  return { items, nextCursor: more ? cursorAt(positionOf(last), page) : null };
}
