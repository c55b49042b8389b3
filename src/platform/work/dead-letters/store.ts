/** SQL of dead letters: work that failed for good and waits for the operator. One piece of work has one letter at most. */

import type { Queryable } from '#platform/db/database.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { afterId, beforeId } from '#platform/db/page-bounds.ts';

export interface NewDeadLetter {
  readonly job: string;
  readonly payload: object;
  /** A machine-readable word, such as `refused`. */
  readonly reason: string;
  readonly detail: string | null;
  /** The number of attempts. */
  readonly attempts: number;
  /** Business time. */
  readonly at: Date;
}

export interface DeadLetter {
  readonly id: string;
  readonly job: string;
  readonly payload: Readonly<Record<string, string>>;
  readonly reason: string;
  readonly detail: string | null;
  readonly attempts: number;
  readonly createdAt: Date;
}

/** Stores a failure; when the work has a letter already, the letter gets the newest failure. */
export async function addDeadLetter(db: Queryable, letter: NewDeadLetter): Promise<void> {
  await db.query(
    `INSERT INTO dead_letter (id, job, payload, reason, detail, attempts, created_at)
     VALUES (${newIdSql}, $1, $2, $3, $4, $5, $6)
     ON CONFLICT (job, payload) DO UPDATE
     SET reason = excluded.reason, detail = excluded.detail, attempts = excluded.attempts, created_at = excluded.created_at`,
    [letter.job, JSON.stringify(letter.payload), letter.reason, letter.detail, letter.attempts, letter.at],
  );
}

const columns = 'id, job, payload, reason, detail, attempts, created_at';

/** Which letters: all unless something is given. */
export interface LetterFilter {
  readonly job?: string | undefined;
  readonly reason?: string | undefined;
}

const matches = '($1::text IS NULL OR job = $1) AND ($2::text IS NULL OR reason = $2)';
const parametersOf = ({ job, reason }: LetterFilter) => [job ?? null, reason ?? null];

/** Newest first; `before` is the id of the last letter of the previous page. */
export async function listDeadLetters(
  db: Queryable,
  {
    limit = 100,
    before = null,
    ...filter
  }: LetterFilter & { readonly limit?: number; readonly before?: string | null } = {},
): Promise<DeadLetter[]> {
  return db.query<DeadLetter>(
    `SELECT ${columns} FROM dead_letter WHERE ${matches} AND ${beforeId('id', '$3')} ORDER BY id DESC LIMIT $4`,
    [...parametersOf(filter), before, limit],
  );
}

/** Oldest first, so that the events of one subject stay in order: those after the id `after`, up to the id `upTo`. */
export async function lettersAfter(
  db: Queryable,
  filter: LetterFilter,
  { after, upTo, limit }: { readonly after: string | null; readonly upTo: string; readonly limit: number },
): Promise<DeadLetter[]> {
  return db.query<DeadLetter>(
    `SELECT ${columns} FROM dead_letter WHERE ${matches} AND ${afterId('id', '$3')} AND id <= $4 ORDER BY id LIMIT $5`,
    [...parametersOf(filter), after, upTo, limit],
  );
}

/** Null when there is none with this id (a UUID). */
export async function showDeadLetter(db: Queryable, id: string): Promise<DeadLetter | null> {
  const [letter] = await db.query<DeadLetter>(`SELECT ${columns} FROM dead_letter WHERE id = $1`, [id]);
  return letter ?? null;
}

/** Deletes a letter and returns it, so that its work is retried or given up in the same transaction. Null when there is none. */
export async function takeDeadLetter(tx: Queryable, id: string): Promise<DeadLetter | null> {
  const [letter] = await tx.query<DeadLetter>(`DELETE FROM dead_letter WHERE id = $1 RETURNING ${columns}`, [
    id,
  ]);
  return letter ?? null;
}

/** Deletes the letter of a piece of work that was done in another way, so that nobody has it tried again; there may be none. */
export async function dropDeadLetter(
  tx: Queryable,
  { job, payload }: Pick<NewDeadLetter, 'job' | 'payload'>,
): Promise<void> {
  await tx.query('DELETE FROM dead_letter WHERE job = $1 AND payload = $2::jsonb', [
    job,
    JSON.stringify(payload),
  ]);
}
