/** Statements of one connection, one at a time, however many are asked for at once. */
import { announce } from './announce.ts';
import type { Queryable } from './database.ts';

/**
 * A statement begins when the one before it has ended, so that none is sent between another's planner settings and the other itself. `failed` gets each
 * failure, which is its caller's as well.
 */
export function oneByOne(
  { query }: Queryable,
  failed: (error: unknown) => void = () => undefined,
): Queryable {
  let before: Promise<unknown> = Promise.resolve();
  return {
    query<Row extends object>(text: string, values?: readonly unknown[]) {
      announce(text);
      const rows = before.then(() => query<Row>(text, values));
      before = rows.catch(failed);
      return rows;
    },
  };
}
