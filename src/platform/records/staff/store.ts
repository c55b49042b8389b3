/** SQL of a workshop's records of any partner, newest first. */
import type { Queryable } from '#platform/db/database.ts';
import { type Listed, listStatement, type PageRequest } from '../list/store.ts';
import type { AnyRecord, RecordType } from '../record.ts';

export interface StaffPage extends Omit<PageRequest, 'tenantId' | 'after'> {
  readonly workshopId: string;
  /** The last record of the previous page; null: the first page. */
  readonly before: string | null;
}

/**
 * At most `limit` records of a workshop; an `after` of another workshop gives an empty page. Bookings have a separate list, by
 * date.
 */
export async function listRecords<StaffItem>(
  db: Queryable,
  record: RecordType<unknown, StaffItem>,
  { workshopId, before, ...page }: StaffPage,
): Promise<StaffItem[]> {
  const after = before === null ? null : await positionOf(db, record, workshopId, before);
  if (after === undefined) return [];
  const { text, values } = listStatement(record, 'staff', { ...page, tenantId: workshopId, after });
  return (await db.query<Listed<StaffItem>>(text, values)).map(({ item }) => item);
}

/** The position of a row in the order of its list. */
async function positionOf(
  db: Queryable,
  { table, order }: AnyRecord,
  workshopId: string,
  id: string,
): Promise<readonly unknown[] | undefined> {
  if (order === 'id') return [id];
  const [row] = await db.query<{ at: string }>(
    `SELECT ${order.column}::text AS at FROM ${table} WHERE id = $1 AND workshop_id = $2`,
    [id, workshopId],
  );
  return row && [row.at, id];
}
