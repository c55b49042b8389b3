/** SQL of blocks: bays that are not to be had for a time. */
import type { Queryable } from '#db/database.ts';

/** More than any workshop has. */
const everyBay = 1_000;

/** SQL: blocks of the workshop $1 that overlap the time from $2 to $3, as groups of bookings that count under none of `limits` limits. */
export function blockedText(limits: number): string {
  const columns = [
    'blocked_from',
    'blocked_until',
    `coalesce(bays, ${everyBay})`,
    ...Array<string>(limits).fill('0'),
  ];
  return `SELECT ${columns.join(', ')} FROM bay_block WHERE workshop_id = $1 AND blocked_from < $3 AND blocked_until > $2`;
}

export interface Block {
  readonly id: string;
  readonly from: Date;
  readonly until: Date;
  /** Null: all of them. */
  readonly bays: number | null;
  readonly reason: string;
}

const columns = 'id, blocked_from AS "from", blocked_until AS until, bays, reason';

export async function insertBlock(
  db: Queryable,
  workshopId: string,
  { id, from, until, bays, reason }: Block,
  at: Date,
): Promise<void> {
  await db.query(
    `INSERT INTO bay_block (id, workshop_id, blocked_from, blocked_until, bays, reason, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [id, workshopId, from, until, bays, reason, at],
  );
}

/** Blocks of a workshop that end after an instant, by their end: at most 1,000. */
export async function listBlocks(db: Queryable, workshopId: string, after: Date): Promise<Block[]> {
  return db.query<Block>(
    `SELECT ${columns} FROM bay_block WHERE workshop_id = $1 AND blocked_until > $2 ORDER BY blocked_until, id LIMIT 1000`,
    [workshopId, after],
  );
}

/** False when there is no such block. */
export async function deleteBlock(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query('DELETE FROM bay_block WHERE id = $1 RETURNING id', [id]);
  return rows.length > 0;
}

/** Deletes blocks that ended before an instant. */
export async function purgeBlocks(db: Queryable, before: Date): Promise<void> {
  await db.query('DELETE FROM bay_block WHERE blocked_until < $1', [before]);
}
