/** Asks whether PostgreSQL takes writes. */
import type { Queryable } from './database.ts';

/**
 * Writes a row. Rejects, usually with DatabaseUnavailable, when the server can't be reached, is a standby or read-only, or has a
 * full disk.
 */
async function probeWriting(db: Queryable): Promise<void> {
  await db.query('UPDATE write_probe SET written_at = clock_timestamp()');
}

/** The same with at most one write a second however often it is called, since health checks need no token. */
export function writingProbe(db: Queryable): () => Promise<void> {
  const keptForMs = 1_000;
  let asked: Promise<void> | null = null;
  return () => {
    if (asked === null) {
      asked = probeWriting(db);
      const forget = () => {
        asked = null;
      };
      // A failure is not cached: the next call probes again.
      asked.then(() => setTimeout(forget, keptForMs).unref(), forget);
    }
    return asked;
  };
}
