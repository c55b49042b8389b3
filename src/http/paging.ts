/** Lists are paged by `limit` and an opaque `cursor` (decisions, section 1: Lists). */
import { createHash } from 'node:crypto';
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox';
import { invalidFields } from '#errors.ts';
import { isId } from '#values/id.ts';
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

/** What a list was narrowed to. A cursor is of use with the same filters only. */
export type Filters = Readonly<Record<string, string | undefined>>;

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

export interface Page {
  readonly limit: number;
  /** The id of the last item of the page before. */
  readonly after: string | null;
  readonly filters?: Filters;
}

/** A cursor at this position of a list; `readCursor` gives the parts back. No part has a space in it. */
export function cursorAt(position: readonly string[], filters?: Filters): string {
  return Buffer.from([...position, ...digestOf(filters)].join(' '), 'latin1').toString('base64url');
}

/** The position of a cursor, of parts in these forms; 400 000001 when this service did not issue it, or issued it for other filters. */
export function readCursor(
  cursor: string,
  forms: readonly ((part: string) => boolean)[],
  filters?: Filters,
): string[] {
  const parts = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  const position = parts.slice(0, forms.length);
  const digest = digestOf(filters);
  if (
    parts.length !== forms.length + digest.length ||
    !forms.every((hasForm, index) => hasForm(position[index] ?? ''))
  ) {
    throw invalidFields([{ field: 'cursor', message: 'is not a cursor that this list gave out' }]);
  }
  if (parts.at(-1) !== (digest[0] ?? parts.at(-1))) {
    const message = 'was given out with other filters: send those of that request beside it, or no cursor';
    throw invalidFields([{ field: 'cursor', message }]);
  }
  return position;
}

/** None without filters. */
function digestOf(filters: Filters | undefined): string[] {
  if (filters === undefined) return [];
  const set = Object.entries(filters).filter(([, value]) => value !== undefined);
  const text = JSON.stringify(set.sort(([one], [other]) => (one < other ? -1 : 1)));
  return [createHash('sha256').update(text).digest('base64url').slice(0, 12)];
}

/** The page that a query asks for; 400 000001 when this service did not issue the cursor. */
export function pageOf(query: { limit?: number; cursor?: string }, filters?: Filters): Page {
  const { limit = 50, cursor } = query;
  const [after = null] = cursor === undefined ? [] : readCursor(cursor, [isId], filters);
  return { limit, after, ...(filters === undefined ? {} : { filters }) };
}

/** Makes a page of rows: the caller read one more than the limit, which tells whether there is a next page. */
export function cutPage<Row extends { id: string }>(
  rows: Row[],
  page: Page,
): { items: Row[]; nextCursor: string | null } {
  const items = rows.slice(0, page.limit);
  const last = items.at(-1);
  const more = rows.length > page.limit && last !== undefined;
  return { items, nextCursor: more ? cursorAt([last.id], page.filters) : null };
}
