/** Runs the calls of a shared statement: in batches, and by themselves where a batch failed with them. */
import type { Database } from './database.ts';
import { DatabaseUnavailable, isLockTimeout, provesRollback } from './errors.ts';
import { type BatchLimits, createFairQueue, type WaitingCall } from './fair-queue.ts';
import { perDatabase } from './per-database.ts';
import { createSemaphore } from './semaphore.ts';

/** Calls in one batch. */
export const rowsAtMost = 32;
const limits: BatchLimits = { rowsAtMost, bytesAtMost: 256 * 1024, aloneAboveBytes: 16 * 1024 };
/** Two, so that the database works on one batch while the process prepares the next. */
const batchesAtMost = 2;
/**
 * How many waiting calls start a second batch beside one that is under way. A run costs as much by itself as about ten calls, so
 * fewer calls wait for the batch under way.
 */
const worthABatch = 8;
/** A batch that takes longer is waiting for a lock or the disk: from then on no other call waits for it. */
const slowAfterMs = 25;
/** Calls that run alone, each on a connection of its own, because a batch failed with them. */
const aloneAtMost = 4;
/**
 * Calls of all statements together that wait for locks at once: those that need none have the other connections. Each waits for a
 * moment and then lets the next one try, so calls whose locks are still held do not delay a call whose lock is free.
 */
const waitingAtMost = 4;
/** A statement may run this long, so a caller waits for its turn no longer, in a batch or alone. */
const beginsWithinMs = 15_000;
/** How long a statement waits for a lock, in milliseconds. */
const lockTimeouts = {
  /** After this time the calls of the batch run alone, so that one locked row delays no other call. */
  batch: 250,
  /** A batch while some calls wait for locks, as the next may need the same ones; and a call that runs alone. */
  brief: 50,
  /** A turn of a call that waits for its lock. */
  turn: 500,
} as const;

interface Call<Row> extends WaitingCall {
  readonly json: string;
  readonly resolve: (row: Row | null) => void;
  readonly reject: (error: unknown) => void;
  running: boolean;
  /** The time limit for its start has passed. The caller gets the error once it is certain that the call has no effect. */
  late: boolean;
  timer: NodeJS.Timeout | undefined;
}

const tooLate = () => new DatabaseUnavailable('no turn at the database in time');

type Answered<Row> = Row & { readonly ordinal: number; readonly held?: boolean };
/** Adds a call, whose values are `json`; calls of one key run in order of arrival. */
export type Gatherer<Row> = (partner: string, key: string | undefined, json: string) => Promise<Row | null>;

const lockWaitsOf = perDatabase((_: Database) => createSemaphore(waitingAtMost));

/** The calls of one statement at one database. `place` is where the statement is declared, for the stacks of errors. */
export function createGatherer<Row extends object>(db: Database, text: string, place: string): Gatherer<Row> {
  const queue = createFairQueue<Call<Row>>(limits);
  const alone = createSemaphore(aloneAtMost);
  const lockWaits = lockWaitsOf(db);
  let batches = 0;
  let slowBatches = 0;
  /** Calls of this statement that wait for locks. */
  let waiting = 0;
  let scheduled = false;

  /** Runs at the end of this turn of the event loop: calls of the same turn go together, without waiting for later ones. */
  function schedule(): void {
    if (scheduled || batches >= batchesAtMost) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      startBatches();
    });
  }

  /** Calls whose time limit has passed are left out; their callers have got the error. */
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
      const rows = await run(batch, waiting > 0 ? lockTimeouts.brief : lockTimeouts.batch);
      settle = () => answer(batch, rows);
    } catch (error) {
      const again = provesRollback(error) && (batch.length > 1 || isLockTimeout(error));
      settle = again ? () => runEachAlone(batch) : () => fail(batch, error);
    }
    clearTimeout(slow);
    batches--;
    if (isSlow) slowBatches--;
    settle();
    startBatches();
  }

  function runEachAlone(calls: readonly Call<Row>[]): void {
    for (const call of calls) if (!stoppedForLate(call)) void runAlone(call);
  }

  /** Before a call runs again: true when its time is over, and its caller has the error. */
  function stoppedForLate(call: Call<Row>): boolean {
    call.running = false;
    if (call.late) fail([call], tooLate());
    return call.late;
  }

  /** First without waiting for a lock; a call that needs one then takes turns in waiting. */
  async function runAlone(call: Call<Row>): Promise<void> {
    let needsLock = await alone.run(() => triedAlone(call, lockTimeouts.brief));
    if (needsLock) waiting++;
    else return schedule();
    while (needsLock) needsLock = await lockWaits.run(() => triedAlone(call, lockTimeouts.turn));
    waiting--;
    schedule();
  }

  /** True when it found a row locked for so long, and may try again. */
  async function triedAlone(call: Call<Row>, lockTimeoutMs: number): Promise<boolean> {
    if (beginning([call]).length === 0) return false;
    try {
      answer([call], await run([call], lockTimeoutMs));
    } catch (error) {
      if (isLockTimeout(error)) return !stoppedForLate(call);
      fail([call], error);
    }
    return false;
  }

  /** The rows by call. */
  async function run(
    calls: readonly Call<Row>[],
    lockTimeoutMs: number,
  ): Promise<(Answered<Row> | undefined)[]> {
    const input = `[${calls.map(({ json }) => json).join(',')}]`;
    const rows = new Array<Answered<Row> | undefined>(calls.length).fill(undefined);
    for (const row of await db.query<Answered<Row>>(text, [input, lockTimeoutMs])) {
      const { ordinal } = row;
      if (!(ordinal >= 1 && ordinal <= calls.length) || rows[ordinal - 1] !== undefined) {
        throw new Error(`a shared statement gave a row that is no single call's: ordinal ${ordinal}`);
      }
      rows[ordinal - 1] = row;
    }
    if (rows.every((row) => row?.held)) throw new Error('a shared statement holds all calls of a batch');
    return rows;
  }

  function answer(calls: readonly Call<Row>[], rows: readonly (Answered<Row> | undefined)[]): void {
    const held = calls.filter((_, index) => rows[index]?.held);
    for (const [index, call] of calls.entries()) {
      if (held.includes(call)) continue;
      settled(call);
      call.resolve(rows[index] ?? null);
    }
    const again = held.filter((call) => !stoppedForLate(call));
    if (again.length > 0) void runBatch(beginning(again));
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
