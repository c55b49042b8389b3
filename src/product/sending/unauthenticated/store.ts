/** SQL of what mailbox providers say of all e-mails of this installation: one row, however many e-mails they refuse. */
import type { Queryable } from '#platform/db/database.ts';

const kind = 'unauthenticated';
const dayMs = 24 * 3_600_000;
/** The days after which a refusal that was not repeated is over. */
const standsForDays = 7;

/** Counts a refusal; true for the first one within a day. `now` is machine time. */
export async function countUnauthenticated(db: Queryable, detail: string, now: Date): Promise<boolean> {
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  const [row] = await db.query<{ isNews: boolean }>(
    `INSERT INTO mail_refusal AS old (kind, detail, count, first_at, last_at, told_at) VALUES ($1, $2, 1, $3, $3, $3)
     ON CONFLICT (kind) DO UPDATE
       SET detail = excluded.detail, last_at = excluded.last_at,
           count = CASE WHEN old.last_at < $4 THEN 1 ELSE old.count + 1 END,
           first_at = CASE WHEN old.last_at < $4 THEN excluded.first_at ELSE old.first_at END,
           told_at = CASE WHEN old.told_at < $5 THEN excluded.told_at ELSE old.told_at END
     RETURNING told_at = $3 AS is_news`,
    [kind, detail, now, before(standsForDays), before(1)],
  );
  return row?.isNews ?? false;
}

export interface MailRefusal {
  /** E-mails that were refused so since `firstAt`. */
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** The words of the last one, without addresses. */
  readonly detail: string;
}

/** Reads the present refusal; null: nothing was refused so within seven days. */
export async function readUnauthenticated(db: Queryable): Promise<MailRefusal | null> {
  const [row] = await db.query<MailRefusal>(
    `SELECT count, first_at, last_at, detail FROM mail_refusal
      WHERE kind = $1 AND last_at > (SELECT clock_timestamp() - make_interval(days => $2))`,
    [kind, standsForDays],
  );
  return row ?? null;
}
