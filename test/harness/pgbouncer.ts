/**
 * A real PgBouncer for tests. `npm test` finds or installs it for the files that import this one:
 * `test('…', { skip: noPgBouncer }, …)`.
 */
import { atEnd } from './clean-up.ts';
import { type PgBouncer, runPgBouncer } from './pgbouncer-process.ts';
import { findPgBouncer } from './pgbouncer-program.ts';

export type { PgBouncer } from './pgbouncer-process.ts';

const program = findPgBouncer();

/** Why tests with PgBouncer are skipped; false when they are not. */
export const noPgBouncer: string | false =
  program === null
    ? (process.env['PITLANE_TEST_NO_PGBOUNCER'] ?? 'there is no PgBouncer: apt-get install pgbouncer')
    : false;

/** Before the server of `url`; see `runPgBouncer`. Ended when the test file ends. */
export async function startPgBouncer(
  url: string,
  sessions: number,
  settings?: Readonly<Record<string, number>>,
): Promise<PgBouncer> {
  if (program === null) throw new Error('there is no PgBouncer');
  const bouncer = await runPgBouncer(program, url, sessions, settings);
  atEnd(bouncer.stop);
  return bouncer;
}
