/** SQL of blocks: bays that are unavailable for a time. */
import type { Queryable } from '#platform/db/database.ts';

/** More bays than any workshop has. */
const everyBay = 1_000;

/**
 * SQL: the blocks of a workshop that overlap a time, in the form of groups of bookings: a block counts as one booking for each bay.
 * Blocks count under no `limits`.
 */
export function blockGroups(
  limits: number,
  { workshop, from, until }: Readonly<Record<'workshop' | 'from' | 'until', string>>,
): string {
  return `SELECT ${['blocked_from', 'blocked_until', `coalesce(bays, ${everyBay})`, ...Array<string>(limits).fill('0')].join(', ')}
      FROM bay_block WHERE workshop_id = ${workshop} AND blocked_from < ${until} AND blocked_until > ${from}`;
}

export interface Block {
  readonly id: string;
  readonly from: Date;
  readonly until: Date;
  /** Null: all bays. */
  readonly bays: number | null;
  readonly reason: string;
  /** The closings that one form made; null: it is alone. */
  readonly seriesId: string | null;
}

const columns = 'id, blocked_from AS "from", blocked_until AS until, bays, reason, series_id';

/** One that is of no series. */
export const insertBlock = (
  db: Queryable,
  workshopId: string,
  block: Omit<Block, 'seriesId'>,
  at: Date,
): Promise<void> => insertBlocks(db, workshopId, [{ ...block, seriesId: null }], at);

export async function insertBlocks(
  db: Queryable,
  workshopId: string,
  blocks: readonly Block[],
  at: Date,
): Promise<void> {
  const of = <Name extends keyof Block>(name: Name) => blocks.map((block) => block[name]);
  await db.query(
    `INSERT INTO bay_block (workshop_id, created_at, id, blocked_from, blocked_until, bays, reason, series_id)
     SELECT $1, $2, * FROM unnest($3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::integer[], $7::text[], $8::uuid[])`,
    [workshopId, at, of('id'), of('from'), of('until'), of('bays'), of('reason'), of('seriesId')],
  );
}

/** How many blocks of a workshop end after an instant. */
export async function countBlocks(db: Queryable, workshopId: string, after: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM bay_block WHERE workshop_id = $1 AND blocked_until > $2',
    [workshopId, after],
  );
  return row?.count ?? 0;
}

/** Deletes the blocks of a series that end after an instant; returns how many. */
export async function deleteSeries(
  db: Queryable,
  {
    workshopId,
    seriesId,
    after,
  }: { readonly workshopId: string; readonly seriesId: string; readonly after: Date },
): Promise<number> {
  const gone = await db.query(
    'DELETE FROM bay_block WHERE workshop_id = $1 AND series_id = $2 AND blocked_until > $3 RETURNING id',
    [workshopId, seriesId, after],
  );
  return gone.length;
}

/** Blocks of a workshop that end after an instant, by their end: at most 1,000. */
export async function listBlocks(db: Queryable, workshopId: string, after: Date): Promise<Block[]> {
  return db.query<Block>(
    `SELECT ${columns} FROM bay_block WHERE workshop_id = $1 AND blocked_until > $2 ORDER BY blocked_until, id LIMIT 1000`,
    [workshopId, after],
  );
}

/** Deletes a block of a workshop (of any, when null) and returns it; null: there is none. */
export async function deleteBlock(
  db: Queryable,
  workshopId: string | null,
  id: string,
): Promise<(Block & { readonly workshopId: string }) | null> {
  const [gone] = await db.query<Block & { workshopId: string }>(
    `DELETE FROM bay_block WHERE id = $1 AND ($2::uuid IS NULL OR workshop_id = $2) RETURNING workshop_id, ${columns}`,
    [id, workshopId],
  );
  return gone ?? null;
}

/** The present block of all bays with this reason and end; null: there is none. */
export async function findBegunBlock(
  tx: Queryable,
  workshopId: string,
  { from, until, reason }: Pick<Block, 'from' | 'until' | 'reason'>,
): Promise<Block | null> {
  const [block] = await tx.query<Block>(
    `SELECT ${columns} FROM bay_block
      WHERE workshop_id = $1 AND blocked_until = $3 AND blocked_from <= $2 AND bays IS NULL AND reason = $4 LIMIT 1`,
    [workshopId, from, until, reason],
  );
  return block ?? null;
}

/** Deletes blocks that ended before an instant. */
export async function purgeBlocks(db: Queryable, before: Date): Promise<void> {
  await db.query('DELETE FROM bay_block WHERE blocked_until < $1', [before]);
}
