/** Keeps what customers are found by in step with the customers: by events, by what is noted as due, and by a look over all of them. */

import { elapsedMs } from '#base/clock.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { Planner } from '#platform/events/reaction.ts';
import { type Pieces, workOff } from '#platform/work/failed/alone.ts';
import {
  deleteSearched,
  findDue,
  holdSearched,
  holdSweep,
  lookAfter,
  moveSweep,
  noteCustomersOf,
  type OfCustomer,
  readSearched,
  type SearchedRow,
  takeDue,
  withKept,
  writeTerms,
} from './store.ts';
import { termsOf } from './terms.ts';

const customersAtOnce = 25;
/** Of one sweep, though nothing is found: 500 customers every five seconds. */
const stepsAtLeast = 20;
/** Of the sweep: as long as it finds much to do. */
const sweepForMs = 4_000;

/** After events about rows of the table: their customers are found as they are now. */
export const keepSearched =
  (table: OfCustomer): Planner =>
  (tx, events) =>
    noteCustomersOf(
      tx,
      table,
      events.map(({ subjectId }) => subjectId),
    );

export const dueSearch: Pieces = {
  job: 'keepSearch',
  subject: 'customerId',
  atOnce: customersAtOnce,
  find: (db, _, atMost) => findDue(db, dueSearch.job, atMost),
  async run({ db }, customerIds) {
    await db.transaction(async (tx) => {
      const all = await withKept(tx, customerIds);
      await holdSearched(tx, all);
      await takeDue(tx, customerIds);
      await rewrite(tx, all);
    });
    return customerIds.length;
  },
};

/** What is due: within a quarter of a second of the relay. */
export const keepSearch = (ctx: Context): Promise<number> => workOff(ctx, dueSearch);

/** They are found from this commit on: for whoever makes very many, which would be due for minutes. */
export async function keepSearchedNow(tx: Queryable, customerIds: readonly string[]): Promise<void> {
  const all = await withKept(tx, customerIds);
  await holdSearched(tx, all);
  await rewrite(tx, all);
}

/** An erased customer is found no more from this commit on, whoever reads the customer's old details meanwhile. */
export async function forgetSearched(tx: Queryable, customerIds: readonly string[]): Promise<void> {
  await holdSearched(tx, customerIds);
  await deleteSearched(tx, customerIds);
}

/** Their rows are held. */
async function rewrite(tx: Queryable, customerIds: readonly string[]): Promise<void> {
  const rows = await readSearched(tx, customerIds);
  const gone = rows.filter(({ isGone }) => isGone).map(({ customerId }) => customerId);
  await writeTerms(tx, rows.filter(({ isGone }) => !isGone).map(withTerms));
  if (gone.length > 0) await deleteSearched(tx, gone);
}

function withTerms(row: SearchedRow) {
  const { customerId, workshopId, aheadAt, recentAt, mark, ...known } = row;
  const terms = termsOf(known);
  return { customerId, workshopId, aheadAt, recentAt, mark, terms };
}

/**
 * Looks at the customers in the order of their ids, some at a time, and has those rewritten that have changed since: those whose change has no
 * event, and after an upgrade all. Goes on at once while it finds much to do; one process at a time.
 */
export async function sweepSearch({ db }: Pick<Context, 'db'>): Promise<number> {
  const until = elapsedMs() + sweepForMs;
  let rewritten = 0;
  for (let steps = 1; ; steps++) {
    const step = await db.transaction(sweepStep);
    rewritten += step.rewritten;
    const goesOn = steps < stepsAtLeast || step.rewritten >= customersAtOnce / 10;
    if (step.isEnd || !goesOn || elapsedMs() > until) return rewritten;
  }
}

async function sweepStep(tx: Queryable): Promise<{ readonly rewritten: number; readonly isEnd: boolean }> {
  const sweep = await holdSweep(tx);
  if (sweep === null) return { rewritten: 0, isEnd: true };
  const looked = await lookAfter(tx, sweep.after, customersAtOnce);
  const differing = looked.filter(({ differs }) => differs).map(({ customerId }) => customerId);
  if (differing.length > 0) {
    await holdSearched(tx, differing);
    await rewrite(tx, differing);
  }
  const isEnd = looked.length < customersAtOnce;
  await moveSweep(tx, isEnd ? null : (looked.at(-1)?.customerId ?? null));
  return { rewritten: differing.length, isEnd };
}
