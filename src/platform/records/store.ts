/** SQL of one record, by its id or its code. */
import type { Queryable } from '#platform/db/database.ts';
import type { RecordType } from './record.ts';

/** By the id, or by the code in its stored form. */
export type RecordName = { readonly id: string } | { readonly code: string };

export interface Versioned<Item> {
  readonly item: Item;
  readonly version: number;
}

/** A record of the partner, also when its link is off. */
export async function readRecord<Item>(
  db: Queryable,
  { table, partner: { json, joins } }: RecordType<Item>,
  partnerId: string,
  name: RecordName,
): Promise<Versioned<Item> | null> {
  const [column, value] = 'id' in name ? ['id', name.id] : ['code', name.code];
  const [row] = await db.query<Versioned<Item>>(
    `SELECT ${json('row')} AS item, row.version FROM ${table} AS row ${joins('row')} WHERE row.${column} = $1 AND row.partner_id = $2`,
    [value, partnerId],
  );
  return row ?? null;
}

/** The record of any partner, as staff read it. */
export async function findRecord<StaffItem>(
  db: Queryable,
  { table, staff: { json, joins } }: RecordType<unknown, StaffItem>,
  name: RecordName,
): Promise<StaffItem | null> {
  const [column, value] = 'id' in name ? ['id', name.id] : ['code', name.code];
  const [row] = await db.query<{ item: StaffItem }>(
    `SELECT ${json('row')} AS item FROM ${table} AS row ${joins('row')} WHERE row.${column} = $1`,
    [value],
  );
  return row?.item ?? null;
}
