/** Lists are paged by `limit` and an opaque `cursor` (decisions, section 1: Lists). */
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox';
import { invalidFields } from '#errors.ts';
import { isId } from '#values/id.ts';
import { out } from './fields.ts';

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

/** The answer of a list: `success`, the items under their name, and `nextCursor`. */
export function pageOfItems<Name extends string, Item extends TSchema>(
  name: Name,
  item: Item,
  description: string,
): TUnsafe<{ success: true; nextCursor: string | null } & { [Key in Name]: Static<Item>[] }> {
  const nextCursor = Type.Union([Type.String(), Type.Null()]);
  const fields = { success: out.literal(true), [name]: out.list(item), nextCursor };
  return Type.Unsafe(Type.Object(fields, { description }));
}

export interface Page {
  readonly limit: number;
  /** The id of the last item of the page before. */
  readonly after: string | null;
}

/** The page that a query asks for; 400 000001 when this service did not issue the cursor. */
export function pageOf(query: { limit?: number; cursor?: string }): Page {
  const { limit = 50, cursor } = query;
  if (cursor === undefined) return { limit, after: null };
  const after = Buffer.from(cursor, 'base64url').toString('latin1');
  if (!isId(after))
    throw invalidFields([{ field: 'cursor', message: 'is not a cursor that this list gave out' }]);
  return { limit, after };
}

/** Makes a page of rows: the caller read one more than the limit, which tells whether there is a next page. */
export function cutPage<Row extends { id: string }>(
  rows: Row[],
  page: Page,
): { items: Row[]; nextCursor: string | null } {
  const items = rows.slice(0, page.limit);
  const last = items.at(-1);
  const more = rows.length > page.limit && last !== undefined;
  return { items, nextCursor: more ? Buffer.from(last.id, 'latin1').toString('base64url') : null };
}
