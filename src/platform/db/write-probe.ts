/** Asks whether PostgreSQL takes writes. */
import type { Queryable } from './database.ts';

/**
 * Writes, and rejects, with DatabaseUnavailable as a rule, when that can't be done: the server is away, a standby or set to
 * read only, or its disk is full.
 */
async function probeWriting(db: Queryable): Promise<void> {
  await db.query('UPDATE write_probe SET written_at = clock_timestamp()');
}

/** The same, with one write a second at most however often it is called: health checks need no token. */
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
