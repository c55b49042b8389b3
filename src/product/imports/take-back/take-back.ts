/**
 * Takes an import back, record by record: what the file made and nobody has touched since goes, and values that it filled in are emptied
 * where they are still the file's (specification: Imports). Nobody is told. In pieces, each of which is one commit: it can be interrupted at any
 * time, and the schedule goes on with it.
 */
import { elapsedMs } from '#base/clock.ts';
import { OperatorError } from '#base/operator-error.ts';
import { type Actor, storedActor } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import { insertEntry } from '#platform/audit/store.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { alone, type Job } from '#platform/work/failed/alone.ts';
import { forgetSearched } from '#product/customers/search/keep.ts';
import { noteChanged } from '#product/customers/search/store.ts';
import { lockWorkshop } from '#product/workshops/store.ts';
import { findFile } from '../files/store.ts';
import { type Change, type ChangedKind, changedKinds, setBackOf } from './changes.ts';
import { type Judged, nextChanges, noteJudged, remark } from './noted/store.ts';
import { whyNot } from './rules.ts';
import {
  advanceRun,
  beginTakingBack,
  endTakingBack,
  type ImportRun,
  lockRun,
  type TakenBack,
  takenBackNow,
  takingBackAt,
} from './run/store.ts';
import { deleteRecords, forgetRows, judgeMade, lockRecords, readPresent, setValues } from './store.ts';

/** The most records of one commit. */
const recordsAtOnce = 200;
const rowsAtOnce = 1_000;

export interface AskedBack {
  readonly workshopId: string;
  /** The id of the import; of a file that was sent on a page, that of the file. */
  readonly importId: string;
  readonly actor: Actor;
}

/**
 * Begins to take it back; `advanceTakeBack` and the schedule do it. One that is or was taken back stays as it is. Throws Problem 000002
 * when the workshop has no such import, and OperatorError when it can't be taken back.
 */
export async function beginTakeBack(
  context: ChangeContext,
  { workshopId, importId: id, actor }: AskedBack,
): Promise<void> {
  const { clock } = context;
  await change(context, async ({ tx }) => {
    const run = await lockRun(tx, workshopId, id);
    const file = await findFile(tx, workshopId, id);
    if (run === null && file === null) throw new Problem('000002');
    const reason = whyNot(run, clock, file);
    if (reason !== null) throw new OperatorError(reason);
    if (run?.state === 'written') await beginTakingBack(tx, id, storedActor(actor));
  });
}

export const takeBackJob: Job = { job: 'takeBackImport', subject: 'importRunId' };

/** Several processes may run it at once: each piece is done by one of them. */
export async function takeBackImports(ctx: Context): Promise<void> {
  for (const { id, workshopId } of await takenBackNow(ctx.db, takeBackJob.job))
    await alone(ctx, takeBackJob, id, () => advanceTakeBack(ctx, workshopId, id));
}

export async function takeBackAgain(ctx: Context, id: string): Promise<void> {
  const workshopId = await takingBackAt(ctx.db, id);
  if (workshopId !== null) await advanceTakeBack(ctx, workshopId, id);
}

/** Goes on where it stopped, to the end or for this many milliseconds. */
export async function advanceTakeBack(
  context: ChangeContext,
  workshopId: string,
  id: string,
  forMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const until = elapsedMs() + forMs;
  for (;;) {
    const goesOn = await change(context, ({ tx, now }) => nextPiece(tx, workshopId, id, now));
    if (!goesOn || elapsedMs() > until) return;
  }
}

/** False: it has ended. */
async function nextPiece(tx: Queryable, workshopId: string, id: string, at: Date): Promise<boolean> {
  // As imports do: no two of them lock the same customers in another order.
  await lockWorkshop(tx, workshopId);
  const run = await lockRun(tx, workshopId, id);
  if (run?.state !== 'takingBack') return false;
  const changes = await nextChanges(tx, run, recordsAtOnce);
  if (changes.length > 0) {
    await takePiece(tx, run, changes, at);
    return true;
  }
  if ((await forgetRows(tx, run, rowsAtOnce)) === rowsAtOnce) return true;
  await end(tx, run, 'takenBack', at);
  return false;
}

const none: TakenBack = { bookingsGone: 0, carsGone: 0, customersGone: 0, setBack: 0, stayed: 0 };
const goneOf = { booking: 'bookingsGone', car: 'carsGone', customer: 'customersGone' } as const;

async function takePiece(tx: Queryable, run: ImportRun, changes: readonly Change[], at: Date): Promise<void> {
  const judged: Judged[] = [];
  const counts = { ...(run.counts ?? none) };
  for (const kind of changedKinds) {
    const its = changes.filter((change) => change.kind === kind);
    if (its.length === 0) continue;
    const ids = its.map(({ recordId }) => recordId);
    await lockRecords(tx, run.workshopId, kind, ids);
    const reasons = await judgeMade(
      tx,
      run,
      kind,
      its.filter(({ isMade }) => isMade),
    );
    const gone = reasons.filter(({ stays }) => stays === null).map(({ recordId }) => recordId);
    await removeAll(tx, run.workshopId, kind, gone);
    counts[goneOf[kind]] += gone.length;
    const stays = new Map<string, string | null>(reasons.map((each) => [each.recordId, each.stays]));
    const known = its.filter(({ isMade }) => !isMade);
    if (kind !== 'booking' && known.length > 0) {
      const back = await setBack(tx, run, { kind, known, at });
      counts.setBack += back.done;
      for (const recordId of back.parts) stays.set(recordId, 'changed');
    }
    judged.push(...its.map(({ recordId }) => ({ kind, recordId, stays: stays.get(recordId) ?? null })));
  }
  counts.stayed += judged.filter(({ stays }) => stays !== null).length;
  await noteJudged(tx, run, judged);
  const last = judged.at(-1);
  if (last !== undefined) await advanceRun(tx, run.id, last, counts);
}

/** With what Find knows of them. */
async function removeAll(
  tx: Queryable,
  workshopId: string,
  kind: ChangedKind,
  ids: readonly string[],
): Promise<void> {
  if (kind === 'customer') {
    await forgetSearched(tx, ids);
    await deleteRecords(tx, workshopId, kind, ids);
    return;
  }
  const customerIds = await deleteRecords(tx, workshopId, kind, ids);
  if (customerIds.length > 0) await noteChanged(tx, customerIds);
}

interface Known {
  readonly kind: Exclude<ChangedKind, 'booking'>;
  readonly known: readonly Change[];
  readonly at: Date;
}

/** How many lost something of the file, and the ids of those that keep something of it. */
async function setBack(tx: Queryable, run: ImportRun, { kind, known, at }: Known) {
  const ids = known.map(({ recordId }) => recordId);
  const present = new Map((await readPresent(tx, run.workshopId, kind, ids)).map((row) => [row.id, row]));
  const parts: string[] = [];
  const rows = known.flatMap(({ recordId: id, fields }) => {
    const is = present.get(id);
    if (is === undefined) return [];
    const { values, isPart } = fields === null ? { values: {}, isPart: true } : setBackOf(kind, fields, is);
    if (isPart) parts.push(id);
    return Object.keys(values).length === 0 ? [] : [{ id, values }];
  });
  const now = new Map(
    (await setValues(tx, run.workshopId, kind, rows, at)).map(({ id, mark }) => [id, mark]),
  );
  // No other change came between: to the import that made it, it is as that left it.
  const again = known.flatMap(({ recordId, mark, markBefore: to }) => {
    const mine = now.get(recordId);
    return mine !== undefined && to !== null && present.get(recordId)?.mark === mark
      ? [{ kind, recordId, from: to, to: mine }]
      : [];
  });
  await remark(tx, run.workshopId, again);
  if (kind === 'customer' && rows.length > 0)
    await noteChanged(
      tx,
      rows.map(({ id }) => id),
    );
  return { done: rows.length, parts };
}

async function end(
  tx: Queryable,
  { id, workshopId, kind, actor, counts }: ImportRun,
  state: 'takenBack' | 'stopped',
  at: Date,
): Promise<void> {
  await endTakingBack(tx, id, state);
  await insertEntry(tx, {
    ...{ workshopId, partnerId: null, at, actor: actor ?? 'schedule', requestId: null },
    ...{ subjectKind: 'workshop', subjectId: workshopId, action: 'workshop.importTakenBack' },
    ...{ before: null, after: JSON.stringify({ kind, isWhole: state === 'takenBack', ...(counts ?? none) }) },
  });
}

/** The operator gives up the dead letter: what is left of the import stays. */
export async function stopTakeBack(tx: Queryable, id: string, now: Date): Promise<void> {
  const workshopId = await takingBackAt(tx, id);
  const run = workshopId === null ? null : await lockRun(tx, workshopId, id);
  if (run?.state === 'takingBack') await end(tx, run, 'stopped', now);
}
