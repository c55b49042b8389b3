/** SQL of what pages have triggered within the last hour, by the machine clock. */

import type { Queryable } from '#platform/db/database.ts';
import { deleteInBatches } from '#platform/db/in-batches.ts';
import { recordset } from '#platform/db/parameters.ts';
import type { Take, UseKey } from './rules.ts';

export interface Uses extends UseKey {
  readonly used: number;
  /** Milliseconds until the oldest of them leaves the hour. */
  readonly resetMs: number;
  /** True when something was withheld within the hour. */
  readonly wasOver: boolean;
}

const recent = (uses: string) => `unnest(${uses}) AS at WHERE at > clock_timestamp() - interval '1 hour'`;

const usesOf = (row: string) => `${row}.kind, ${row}.subject,
  (SELECT count(*)::int FROM ${recent(`${row}.uses`)}) AS used,
  coalesce((
    SELECT extract(epoch FROM min(at) + interval '1 hour' - clock_timestamp())::float8 * 1000
      FROM ${recent(`${row}.uses`)}), 0) AS reset_ms,
  coalesce(${row}.over_at > clock_timestamp() - interval '1 hour', false) AS was_over`;

/** Reads the uses of these keys, each named once, and locks them until the transaction ends, always in the same order. */
export async function lockUses(tx: Queryable, keys: readonly UseKey[]): Promise<Uses[]> {
  return tx.query<Uses>(
    `INSERT INTO page_use AS held (kind, subject, uses, expires_at)
     SELECT kind, subject, '{}', clock_timestamp() + interval '1 hour'
       FROM jsonb_to_recordset($1::jsonb) AS key (kind text, subject text) ORDER BY kind, subject
     ON CONFLICT (kind, subject) DO UPDATE SET expires_at = excluded.expires_at
     RETURNING ${usesOf('held')}`,
    [JSON.stringify(keys)],
  );
}

/** The same without locks; a key without uses has no row. */
export async function readUses(db: Queryable, keys: readonly UseKey[]): Promise<Uses[]> {
  return db.query<Uses>(
    `SELECT ${usesOf('its')} FROM jsonb_to_recordset($1::jsonb) AS key (kind text, subject text)
      CROSS JOIN LATERAL (SELECT * FROM page_use WHERE page_use.kind = key.kind AND page_use.subject = key.subject LIMIT 1) AS its`,
    [JSON.stringify(keys)],
  );
}

/** Counts uses of keys, each named once, that this transaction has locked. */
export async function addUses(tx: Queryable, takes: readonly Take[]): Promise<void> {
  await tx.query(
    `UPDATE page_use AS held
        SET uses = ARRAY(SELECT at FROM ${recent('held.uses')}) || array_fill(clock_timestamp(), ARRAY[amount]),
            over_at = CASE WHEN is_over THEN clock_timestamp() ELSE over_at END, expires_at = clock_timestamp() + interval '1 hour'
       FROM jsonb_to_recordset($1::jsonb) AS take (kind text, subject text, amount integer, is_over boolean)
      WHERE held.kind = take.kind AND held.subject = take.subject`,
    [recordset(takes)],
  );
}

/** Deletes rows whose uses are older than an hour. */
export async function purgeUses(db: Queryable): Promise<void> {
  await deleteInBatches(db, 'page_use', 'expires_at < (SELECT clock_timestamp())');
}
