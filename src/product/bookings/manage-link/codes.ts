/** The codes of manage links: ten characters, created when a booking's link is first shown. */

import { newCode } from '#base/values/code.ts';
import type { Queryable } from '#platform/db/database.ts';
import { upsertManageLinks } from './store.ts';

const codeLength = 10;

/** The path below the installation's public address. */
export const managePath = (code: string) => `/b/${code}`;

/** Codes by booking id; every id must be an existing booking. */
export async function manageCodes(
  db: Queryable,
  bookingIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const links = [...new Set(bookingIds)].map((bookingId) => ({ bookingId, code: newCode(codeLength) }));
  const kept = await upsertManageLinks(db, links);
  return new Map(kept.map(({ bookingId, code }) => [bookingId, code]));
}

export async function manageCode(db: Queryable, bookingId: string): Promise<string> {
  const code = (await manageCodes(db, [bookingId])).get(bookingId);
  if (code === undefined) throw new Error('a booking has no manage link');
  return code;
}
