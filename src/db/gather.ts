/** Shared round trips: concurrent calls of one statement go to the database together, and each caller gets its own row. */
import { type Database, DatabaseUnavailable, isLockTimeout, provesRollback } from './database.ts';
import { type BatchLimits, createFairQueue, type WaitingCall } from './fair-queue.ts';
import { sqlType } from './parameters.ts';
import { perDatabase } from './per-database.ts';
import { planOnce } from './plan-modes.ts';

const limits: BatchLimits = { rowsAtMost: 32, bytesAtMost: 256 * 1024, aloneAboveBytes: 16 * 1024 };
/** So that the database works on one batch while the process makes the next. */
const batchesAtMost = 2;
/**
 * Calls that make another batch worth its while beside one that is under way. Each run of a statement costs as much by itself as about ten
 * calls do, so fewer calls wait for the batch under way and go together.
 */
const worthABatch = 8;
/** A batch that takes longer waits for a lock or for the disk: from then on nobody waits for it. */
const slowAfterMs = 25;
/** Calls that run alone, each on a connection of its own, because a batch failed with them. */
const aloneAtMost = 4;
/** A statement may run this long, so a caller waits for its turn no longer, in a batch or alone. */
const beginsWithinMs = 15_000;
/** A batch waits no longer than this for a lock; then its calls run alone, and one held row stops nobody else. */
const lockTimeoutMs = 250;

export interface SharedStatement<Input extends object> {
  /** Each name of `Input` with its PostgreSQL type, as in `Parameters`: `Input` is their `RowValues`, so that each name is written once. Values go as JSON: dates as instants, bytes as text such as `\x00ff`. */
  readonly columns: Readonly<Record<keyof Input & string, string>>;
  /**
   * The text, built once. `input` is the CTE `input` with the columns, named as they are in `Input`, and `ordinal`, which
   * counts the calls in order of arrival from 1. Rows of the result carry `ordinal`; a call without one gets null. Rows that
   * the statement locks, it must lock in an order of their own, or two batches would meet in a deadlock.
   */
  readonly build: (parts: { input: string }) => string;
  /** Whose call it is: batches are filled in turn by partner. */
  readonly partnerOf: (input: Input) => string;
  /**
   * The key that may occur only once in a batch, and in one batch of this process at a time. Calls of one key run in order of
   * arrival.
   */
  readonly keyOf?: (input: Input) => string;
}

/**
 * One call. Resolves to its row of the result, or to null when it has none. Throws what the statement would throw for
 * this call alone; after a lost connection DatabaseUnavailable, and then it may have taken effect.
 */
export interface SharedCall<Input, Row> {
  (db: Database, input: Input): Promise<Row | null>;
  /** The statement, for `EXPLAIN`: $1 is the JSON array of the calls, $2 says whether it may wait for locks. */
  readonly text: string;
}

/**
 * A statement over a set. Calls that arrive while others are under way are run together, at most 32 at a time; a single
 * one runs at once and by the same statement. A batch that fails is run again call by call, with the same values, when the
 * error proves that it was rolled back. Not for transactions.
 */
export function gather<Input extends object, Row extends object>(
  shared: SharedStatement<Input>,
): SharedCall<Input, Row> {
  const text = planOnce(shared.build({ input: inputCte(shared.columns) }));
  const place = callerOf(gather);
  const gathererOf = perDatabase((db: Database) => createGatherer<Row>(db, text, place));
  const call = (db: Database, input: Input) =>
    gathererOf(db)(shared.partnerOf(input), shared.keyOf?.(input), JSON.stringify(input));
  return Object.assign(call, { text });
}

/**
 * The lock time-out is the statement's own: it ends with its transaction, and a call that may wait has none. The planner
 * takes such a recordset for 100 rows, and one between two bounds for a single row: then it looks rows up by their index, also
 * in a plan that was made, and is kept, from when a table was empty.
 */
function inputCte(columns: Readonly<Record<string, string>>): string {
  const names = Object.keys(columns).map((name) => `"${name}"`);
  const types = Object.entries(columns).map(([name, type]) => `"${name}" ${sqlType(type)}`);
  return `input AS MATERIALIZED (
    SELECT ${names.map((name) => `given.${name}`).join(', ')}, given.ordinal::int AS ordinal
      FROM (SELECT set_config('lock_timeout', CASE WHEN $2::boolean THEN current_setting('lock_timeout') ELSE '${lockTimeoutMs}ms' END, true)) AS wait
     CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (${types.join(', ')})) WITH ORDINALITY AS given (${names.join(', ')}, ordinal)
     WHERE given.ordinal BETWEEN 1 AND ${limits.rowsAtMost})`;
}

/** The line of a stack that says where `of` was called: batches run on behalf of many, so no stack of theirs leads there. */
function callerOf(of: (...args: never[]) => unknown): string {
  const here: { stack?: string } = {};
  Error.captureStackTrace(here, of);
  return here.stack?.split('\n')[1] ?? '';
}

interface Call<Row> extends WaitingCall {
  readonly json: string;
  readonly resolve: (row: Row | null) => void;
  readonly reject: (error: unknown) => void;
  running: boolean;
  /** The time in which it may begin is over. The caller gets the error once it is certain that the call has no effect. */
  late: boolean;
  timer: NodeJS.Timeout | undefined;
}

const tooLate = () => new DatabaseUnavailable('no turn at the database in time');

type Answered<Row> = Row & { readonly ordinal: number };
type Gatherer<Row> = (partner: string, key: string | undefined, json: string) => Promise<Row | null>;

function createGatherer<Row extends object>(db: Database, text: string, place: string): Gatherer<Row> {
  const queue = createFairQueue<Call<Row>>(limits);
  const alone: Call<Row>[] = [];
  let batches = 0;
  let slowBatches = 0;
  let running = 0;
  let scheduled = false;

  /** At the end of this turn of the event loop: what the same turn brings goes together, and nobody waits for more. */
  function schedule(): void {
    if (scheduled || batches >= batchesAtMost) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      startBatches();
    });
  }

  /** Calls that come too late are left out; their callers know. */
  function beginning(calls: readonly Call<Row>[]): Call<Row>[] {
    for (const call of calls) {
      if (call.late) queue.done(call);
      else call.running = true;
    }
    return calls.filter((call) => !call.late);
  }

  function startBatches(): void {
    while (batches < batchesAtMost && queue.ready() >= (batches === slowBatches ? 1 : worthABatch)) {
      // If all went in one batch, they would return at once and form one batch again, and the database and the process would
      // never work in parallel.
      const share = Math.ceil(queue.ready() / (batchesAtMost - batches));
      const batch = beginning(queue.take(Math.max(share, worthABatch)));
      if (batch.length > 0) void runBatch(batch);
    }
  }

  function runAloneLater(calls: readonly Call<Row>[]): void {
    for (const call of calls) call.running = false;
    fail(
      calls.filter((call) => call.late),
      tooLate(),
    );
    alone.push(...calls.filter((call) => !call.late));
  }

  function startAlone(): void {
    while (running < aloneAtMost && alone.length > 0) {
      for (const call of beginning(alone.splice(0, 1))) void runAlone(call);
    }
  }

  async function runBatch(batch: readonly Call<Row>[]): Promise<void> {
    batches++;
    let isSlow = false;
    const slow = setTimeout(() => {
      isSlow = true;
      slowBatches++;
      startBatches();
    }, slowAfterMs);
    let settle: () => void;
    try {
      const rows = await run(batch, false);
      settle = () => answer(batch, rows);
    } catch (error) {
      const again = provesRollback(error) && (batch.length > 1 || isLockTimeout(error));
      settle = again ? () => runAloneLater(batch) : () => fail(batch, error);
    }
    clearTimeout(slow);
    batches--;
    if (isSlow) slowBatches--;
    settle();
    startAlone();
    startBatches();
  }

  async function runAlone(call: Call<Row>): Promise<void> {
    running++;
    try {
      answer([call], await run([call], true));
    } catch (error) {
      fail([call], error);
    }
    running--;
    startAlone();
    schedule();
  }

  /** The rows by call. */
  async function run(calls: readonly Call<Row>[], mayWait: boolean): Promise<(Answered<Row> | undefined)[]> {
    const input = `[${calls.map(({ json }) => json).join(',')}]`;
    const rows = new Array<Answered<Row> | undefined>(calls.length).fill(undefined);
    for (const row of await db.query<Answered<Row>>(text, [input, mayWait])) {
      const { ordinal } = row;
      if (!(ordinal >= 1 && ordinal <= calls.length) || rows[ordinal - 1] !== undefined) {
        throw new Error(`a shared statement gave a row that is no single call's: ordinal ${ordinal}`);
      }
      rows[ordinal - 1] = row;
    }
    return rows;
  }

  function answer(calls: readonly Call<Row>[], rows: readonly (Answered<Row> | undefined)[]): void {
    for (const [index, call] of calls.entries()) {
      settled(call);
      call.resolve(rows[index] ?? null);
    }
  }

  function fail(calls: readonly Call<Row>[], error: unknown): void {
    if (calls.length > 0 && error instanceof Error) error.stack += `\n${place}`;
    for (const call of calls) {
      settled(call);
      call.reject(error);
    }
  }

  function settled(call: Call<Row>): void {
    clearTimeout(call.timer);
    queue.done(call);
  }

  return (partner, key, json) =>
    new Promise((resolve, reject) => {
      const call: Call<Row> = {
        ...{ partner, key, json, bytes: Buffer.byteLength(json), resolve, reject },
        ...{ running: false, late: false, timer: undefined },
      };
      call.timer = setTimeout(() => {
        call.late = true;
        if (!call.running) reject(tooLate());
      }, beginsWithinMs).unref();
      queue.add(call);
      schedule();
    });
}
