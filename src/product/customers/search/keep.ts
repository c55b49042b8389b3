/**
 * Keeps the search terms up to date with the customers: by events, by explicit notes of changes, and by a sweep over all customers.
 */

import { elapsedMs } from '#base/clock.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
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
/** The least steps of one sweep, even if nothing has changed: 2,000 customers every twenty seconds. */
const stepsAtLeast = 80;
/** How long a sweep continues while it finds many changes. */
const sweepForMs = 4_000;

/** After events about rows of the table: makes the terms of their customers due. */
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
  async run(context, customerIds) {
    await change(context, async ({ tx }) => {
      const all = await withKept(tx, customerIds);
      await holdSearched(tx, all);
      await takeDue(tx, customerIds);
      await rewrite(tx, all);
    });
    return customerIds.length;
  },
};

/** Rewrites due terms: within half a second of the relay. */
export const keepSearch = (ctx: Context): Promise<number> => workOff(ctx, dueSearch);

/** Writes the terms in this transaction: for callers that create more customers than the queue would take minutes. */
export async function keepSearchedNow(tx: Queryable, customerIds: readonly string[]): Promise<void> {
  const all = await withKept(tx, customerIds);
  await holdSearched(tx, all);
  await rewrite(tx, all);
}

/** Deletes the terms of an erased customer in this transaction, even if another process is reading the customer's old details. */
export async function forgetSearched(tx: Queryable, customerIds: readonly string[]): Promise<void> {
  await holdSearched(tx, customerIds);
  await deleteSearched(tx, customerIds);
}

/** Their rows are locked. */
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
 * Reads the customers in id order, in steps, and rewrites the terms of those that have changed: changes without an event, and all
 * customers after an upgrade. Continues at once while it finds many changes; one process at a time.
 */
export async function sweepSearch(context: ChangeContext): Promise<number> {
  const until = elapsedMs() + sweepForMs;
  let [steps, rewritten] = [0, 0];
  for (;;) {
    const swept = await change(context, ({ tx }) => sweepOn(tx, Math.max(1, stepsAtLeast - steps), until));
    steps += swept.steps;
    rewritten += swept.rewritten;
    const goesOn = steps < stepsAtLeast || swept.rewritten >= customersAtOnce / 10;
    if (swept.isEnd || !goesOn || elapsedMs() > until) return rewritten;
  }
}

/** Looks through customers until some were rewritten, whose rows are locked then, or the customers, steps or time are over. */
async function sweepOn(
  tx: Queryable,
  stepsAtMost: number,
  until: number,
): Promise<{ readonly steps: number; readonly rewritten: number; readonly isEnd: boolean }> {
  const sweep = await holdSweep(tx);
  if (sweep === null) return { steps: 0, rewritten: 0, isEnd: true };
  let { after } = sweep;
  let [steps, rewritten, isEnd] = [0, 0, false];
  while (steps < stepsAtMost && rewritten === 0 && !isEnd && elapsedMs() <= until) {
    const looked = await lookAfter(tx, after, customersAtOnce);
    const differing = looked.filter(({ differs }) => differs).map(({ customerId }) => customerId);
    if (differing.length > 0) {
      await holdSearched(tx, differing);
      await rewrite(tx, differing);
    }
    steps++;
    rewritten = differing.length;
    isEnd = looked.length < customersAtOnce;
    after = isEnd ? null : (looked.at(-1)?.customerId ?? null);
  }
  await moveSweep(tx, after);
  return { steps, rewritten, isEnd };
}
