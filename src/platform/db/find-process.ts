/** Which processes of Pitlane are connected. */
import type { Queryable } from './database.ts';

/** The name of a server or worker that is connected to this database; null when there is none. */
export async function findProcess(tx: Queryable): Promise<string | null> {
  const [row] = await tx.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_stat_activity
      WHERE datname = current_database() AND application_name IN ('pitlane all', 'pitlane api', 'pitlane worker') LIMIT 1`,
  );
  return row?.name ?? null;
}
