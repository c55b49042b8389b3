/**
 * SQL that deletes old messages. It continues by id where it stopped, so that rows that are kept are read once; rows that were
 * still queued are read again.
 */
import type { Queryable } from '#platform/db/database.ts';
import { lowestId } from '#platform/db/page-bounds.ts';

export interface PurgeStep {
  /** The key of the stored progress. */
  readonly name: string;
  readonly kinds: readonly string[];
  readonly olderThanDays: number;
  readonly limit: number;
}

/**
 * Deletes messages of these kinds that are older (machine clock), with their attempts, dead letters and the sandbox's copies. A
 * message with a referenceId must be replayed for ever, so only its text is deleted. Reads up to `limit` messages; returns how many
 * it read.
 */
export async function purgeMessages(
  db: Queryable,
  { name, kinds, olderThanDays, limit }: PurgeStep,
): Promise<number> {
  const [row] = await db.query<{ seen: number }>(
    `WITH seen AS (
       SELECT id, kind, reference_id FROM message
        WHERE id > coalesce((SELECT purged_to FROM retention WHERE name = $1), '${lowestId}')
          AND id < (SELECT first_id(clock_timestamp() - make_interval(days => $3)))
        ORDER BY id LIMIT $4),
     -- With those that earlier steps have passed over, since they were queued then.
     candidate AS (
       SELECT * FROM seen WHERE kind = ANY($2::text[])
       UNION ALL SELECT id, kind, reference_id FROM message WHERE id = ANY((SELECT skipped FROM retention WHERE name = $1)::uuid[])),
     old AS (
       SELECT id, reference_id FROM candidate WHERE NOT EXISTS (SELECT FROM queued_message q WHERE q.message_id = candidate.id)),
     -- Passed over, and remembered.
     queued AS MATERIALIZED (SELECT id FROM candidate EXCEPT SELECT id FROM old),
     gone AS (
       DELETE FROM message m USING old WHERE m.id = old.id AND old.reference_id IS NULL RETURNING m.id),
     letters AS (
       DELETE FROM dead_letter d USING gone WHERE d.job = 'send' AND d.payload = jsonb_build_object('messageId', gone.id)),
     copies AS (
       DELETE FROM sandbox_message s USING old WHERE s.message_id = old.id),
     -- The row is the response to a repeat; its text goes.
     emptied AS (
       UPDATE message m SET body = '', detail = NULL FROM old WHERE m.id = old.id AND old.reference_id IS NOT NULL AND m.body <> ''),
     noted AS (
       INSERT INTO retention (name, purged_to, skipped)
       SELECT $1, id, ARRAY(SELECT id FROM queued) FROM (SELECT id FROM seen UNION ALL SELECT id FROM candidate) AS any_of
       ORDER BY id DESC LIMIT 1
       ON CONFLICT (name) DO UPDATE SET purged_to = greatest(retention.purged_to, excluded.purged_to),
         skipped = ARRAY(SELECT unnest(retention.skipped || excluded.skipped) EXCEPT SELECT id FROM old))
     SELECT count(*)::int AS seen FROM seen`,
    [name, kinds, olderThanDays, limit],
  );
  return row?.seen ?? 0;
}
