/** Shared round trips: concurrent calls of one statement go to the database together, and each caller gets its own row. */
import { announce } from './announce.ts';
import { type Database, isJoined, type Queryable } from './database.ts';
import { createGatherer, rowsAtMost } from './gatherer.ts';
import { columnOf, sqlType } from './parameters.ts';
import { perDatabase } from './per-database.ts';
import { planOnce } from './plan-modes.ts';

export interface SharedStatement<Input extends object> {
  /** Each name of `Input` with its PostgreSQL type, as in `Parameters`: `Input` is their `RowValues`, so that each name is written once. Values go as JSON: dates as instants, bytes as text such as `\x00ff`. */
  readonly columns: Readonly<Record<keyof Input & string, string>>;
  /**
   * The text, built once. `input` is the CTE `input` with the columns, in snake_case, and `ordinal`, which counts the calls in
   * order of arrival from 1. Rows of the result carry `ordinal`; a call without one gets null. A row with `held: true` says that
   * the statement did nothing for this call, because another call of the batch has to go first: the call is run again. At least
   * one call of a batch must not be held. Rows that the statement locks, it must lock in an order of their own, or two batches
   * would meet in a deadlock.
   */
  readonly build: (parts: { input: string }) => string;
  /** Returns the partner of a call: batches are filled in turn by partner. */
  readonly partnerOf: (input: Input) => string;
  /**
   * The key that may occur only once in a batch, and in one batch of this process at a time. Calls of one key run in order of
   * arrival.
   */
  readonly keyOf?: (input: Input) => string;
}

/**
 * One call. Resolves to its row of the result, or to null when it has none. Throws what the statement would throw for
 * this call alone; after a lost connection DatabaseUnavailable, and then it may have taken effect. In the change of a caller
 * (`joining`) it is run alone, as a part of that one, and waits for locks as the session does.
 */
export interface SharedCall<Input, Row> {
  (db: Database, input: Input): Promise<Row | null>;
  /** The statement: $1 is the JSON array of the calls, $2 how long it may wait for locks in milliseconds; null: as the session does. */
  readonly text: string;
}

/**
 * A statement over a set. Calls that arrive while others are under way are run together, at most 32 at a time; a single one runs
 * at once and by the same statement. A batch that fails is run again call by call, with the same values, when the error proves
 * that it was rolled back. Other calls can't share the transaction of a joined database.
 */
export function gather<Input extends object, Row extends object>(
  shared: SharedStatement<Input>,
): SharedCall<Input, Row> {
  const text = planOnce(shared.build({ input: inputCte(shared.columns) }));
  // Batches run for many callers, so the statement is announced here, where it is declared.
  announce(text);
  const place = callerOf(gather);
  const columns = Object.keys(shared.columns).map((name) => [columnOf(name), name as keyof Input] as const);
  const json = (input: Input) =>
    JSON.stringify(Object.fromEntries(columns.map(([column, name]) => [column, input[name]])));
  const gathererOf = perDatabase((db: Database) => createGatherer<Row>(db, text, place));
  const alone = async (tx: Queryable, input: Input) =>
    (await tx.query<Row>(text, [`[${json(input)}]`, null]))[0] ?? null;
  const call = (db: Database, input: Input) =>
    isJoined(db)
      ? alone(db, input)
      : gathererOf(db)(shared.partnerOf(input), shared.keyOf?.(input), json(input));
  return Object.assign(call, { text });
}

/**
 * The lock time-out is the statement's own: it ends with its transaction. The planner
 * takes such a recordset for 100 rows, and one between two bounds for a single row: then it looks rows up by their index, also
 * in a plan that was made, and is kept, from when a table was empty.
 */
function inputCte(columns: Readonly<Record<string, string>>): string {
  const names = Object.keys(columns).map(columnOf);
  const types = Object.entries(columns).map(([name, type]) => `${columnOf(name)} ${sqlType(type)}`);
  return `input AS (
    SELECT ${names.map((name) => `given.${name}`).join(', ')}, given.ordinal::int AS ordinal
      FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
     CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (${types.join(', ')})) WITH ORDINALITY AS given (${names.join(', ')}, ordinal)
     WHERE given.ordinal BETWEEN 1 AND ${rowsAtMost})`;
}

/** The line of a stack that says where `of` was called: batches run on behalf of many, so no stack of theirs leads there. */
function callerOf(of: (...args: never[]) => unknown): string {
  const here: { stack?: string } = {};
  Error.captureStackTrace(here, of);
  return here.stack?.split('\n')[1] ?? '';
}
