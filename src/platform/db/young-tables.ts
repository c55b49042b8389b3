/**
 * Analyses a table once it has some hundred rows. Until its first ANALYZE, the planner has no statistics, and plans that were made
 * while the table was empty are kept: those of prepared statements and of foreign-key checks. ANALYZE renews them. From then on
 * autovacuum does the same. Its first run may come a minute late, or never where it is switched off.
 */
import type { Database } from './database.ts';
import { planOnce } from './plan-modes.ts';
import { runAll } from './run-all.ts';

const rowsAtLeast = 300;

/**
 * Tables of ours without statistics. Rows are counted as PostgreSQL counts them, about a second late. The times of the last ANALYZE are
 * cheap to read, but a crash forgets them; statistics outlive it, so a table that was analysed before is not found again, unless it was empty then.
 */
const youngText = planOnce(`
  SELECT format('%I.%I', s.schemaname, s.relname) AS name
    FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
   WHERE s.schemaname = current_schema() AND s.n_live_tup >= $1
     AND (s.last_analyze IS NULL AND s.last_autoanalyze IS NULL OR c.reltuples <= 0) AND pg_has_role(c.relowner, 'USAGE')
     AND NOT EXISTS (SELECT FROM pg_stats t WHERE t.schemaname = s.schemaname AND t.tablename = s.relname)
   ORDER BY s.relname`);

/**
 * Analyses tables that have become large enough, and returns their names. Safe in many processes at once: a table that another
 * process is analysing is skipped.
 */
export async function analyseYoungTables(db: Database): Promise<string[]> {
  const young = await db.query<{ name: string }>(youngText, [rowsAtLeast]);
  await runAll(
    young.map(
      ({ name }) =>
        () =>
          db.query(`ANALYZE (SKIP_LOCKED) ${name}`),
    ),
  );
  return young.map(({ name }) => name);
}
