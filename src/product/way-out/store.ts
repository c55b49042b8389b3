/** SQL of way outs: the code of `/u/{code}`, one for each text that carries its link. */
import type { Queryable } from '#platform/db/database.ts';
import { deleteInBatches } from '#platform/db/in-batches.ts';
import { recordset } from '#platform/db/parameters.ts';

const dayMs = 24 * 3_600_000;
/** How long a link is good, in days. */
const goodForDays = 60;

export interface NewWayOut {
  readonly code: string;
  readonly workshopId: string;
  /** The recipient of the text, E.164. */
  readonly phone: string;
}

/** Stores the codes of texts that are about to go; `now` is business time. */
export async function keepWayOuts(tx: Queryable, ways: readonly NewWayOut[], now: Date): Promise<void> {
  if (ways.length === 0) return;
  await tx.query(
    `INSERT INTO way_out (code, workshop_id, phone, expires_at)
     SELECT code, workshop_id, phone, $2 FROM jsonb_to_recordset($1::jsonb) AS way (code text, workshop_id uuid, phone text)`,
    [recordset(ways), new Date(now.getTime() + goodForDays * dayMs)],
  );
}

/** The customer with the number that a text went to. */
export interface FoundWayOut {
  readonly workshopId: string;
  readonly customerId: string;
  /** The last digits of the number, which are all that the page shows of it. */
  readonly lastDigits: string;
  readonly isOptedOut: boolean;
  /** The version of the customer. */
  readonly version: number;
}

/** Null: no such code, one that is over, or nobody of the workshop has the number any more. `now` is business time. */
export async function findWayOut(db: Queryable, code: string, now: Date): Promise<FoundWayOut | null> {
  const [row] = await db.query<FoundWayOut>(
    `SELECT o.workshop_id, c.id AS customer_id, right(o.phone, 2) AS last_digits, c.opted_out_at IS NOT NULL AS is_opted_out, c.version
       FROM way_out o JOIN customer c ON c.workshop_id = o.workshop_id AND c.phone = o.phone
      WHERE o.code = $1 AND o.expires_at > $2 AND c.erased_at IS NULL`,
    [code, now],
  );
  return row ?? null;
}

/** Deletes the codes of an erased person's numbers. */
export async function deleteWayOuts(
  tx: Queryable,
  workshopId: string,
  phones: readonly string[],
): Promise<void> {
  await tx.query('DELETE FROM way_out WHERE workshop_id = $1 AND phone = ANY($2::text[])', [
    workshopId,
    phones,
  ]);
}

/** Deletes the codes that are over. `now` is business time. */
export async function purgeWayOuts(db: Queryable, now: Date): Promise<void> {
  await deleteInBatches(db, 'way_out', 'expires_at <= $1', [now]);
}
