/**
 * Advances imports of files, set by set; called by the schedule, and during its first seconds by the request that began the import.
 */
import { elapsedMs } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { runAll } from '#platform/db/run-all.ts';
import { alone, type Job } from '#platform/work/failed/alone.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { noCounts, sumOf } from '../counts.ts';
import { importContextOf, rowSets } from '../entries.ts';
import { recordImportEnd } from '../import.ts';
import { openTable } from '../rows.ts';
import { sourceOf } from '../source.ts';
import { deleteImported } from '../store.ts';
import { deleteChanges } from '../take-back/noted/store.ts';
import { changesKeptMs } from '../take-back/rules.ts';
import { deleteRuns } from '../take-back/run/store.ts';
import { writeSet } from '../write.ts';
import {
  advanceFile,
  deleteEnded,
  deleteWaiting,
  endFile,
  findFile,
  importingAt,
  importingFiles,
  readContent,
} from './store.ts';

export const importJob: Job = { job: 'advanceImport', subject: 'importId' };

/** Several processes may run it at once: each set is imported by one of them. */
export async function advanceImports(ctx: Context): Promise<void> {
  for (const { id, workshopId } of await importingFiles(ctx.db, importJob.job))
    await alone(ctx, importJob, id, () => advanceImport(ctx, workshopId, id));
}

export async function advanceAgain(ctx: Context, id: string): Promise<void> {
  const workshopId = await importingAt(ctx.db, id);
  if (workshopId !== null) await advanceImport(ctx, workshopId, id);
}

/** Continues where it stopped, to the end or for this many milliseconds. */
export async function advanceImport(
  ctx: ChangeContext,
  workshopId: string,
  id: string,
  forMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const until = elapsedMs() + forMs;
  const { db, clock } = ctx;
  const file = await findFile(db, workshopId, id);
  const content = await readContent(db, workshopId, id);
  if (file?.state !== 'importing' || content === null) return;
  const workshop = await requireWorkshop(db, workshopId);
  const { kind, dateOrder: order } = file;
  const { accepted } = file.report;
  const table = await openTable(kind, sourceOf(file.fileName, content), file.matched);
  const ground = await importContextOf(db, workshop, { kind, order, accepted, now: clock.now() });
  const run = { importId: id, workshopId, kind };
  let [taken, counts] = [file.taken, file.counts ?? noCounts];
  for await (const set of rowSets(table, workshopId, ground, taken)) {
    const at = { id, workshopId, taken };
    const before = counts;
    const next = await change(ctx, async ({ tx, now }) => {
      const written = await writeSet(tx, run, set, now);
      const to = { taken: at.taken + set.rows, counts: sumOf(before, written) };
      if (!(await advanceFile(tx, at, to))) throw new TakenByAnother();
      return to;
    }).catch((error: unknown) => {
      if (error instanceof TakenByAnother) return null;
      throw error;
    });
    if (next === null) return;
    ({ taken, counts } = next);
    if (elapsedMs() > until) return;
  }
  await change(ctx, async ({ tx, now }) => {
    if (!(await endFile(tx, workshopId, id, 'imported'))) return;
    await recordImportEnd(tx, { workshopId, kind, counts, actor: actors.schedule, at: now });
  });
}

/** Rolls back a set that another process has imported. */
class TakenByAnother extends Error {}

/** The operator gives up the dead letter of an import. */
export async function stopImport(tx: Queryable, id: string): Promise<void> {
  const workshopId = await importingAt(tx, id);
  if (workshopId !== null) await endFile(tx, workshopId, id, 'stopped');
}

const dayMs = 86_400_000;

/**
 * A waiting file is deleted after a day, and the result of an import after a month; the identities of imported rows are kept as
 * long as the audit trail. What an import has made and changed is known while it can be taken back.
 */
export async function purgeImports({ db, clock, config }: Context): Promise<void> {
  const now = clock.machineNow();
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  await runAll([
    () => deleteWaiting(db, before(1)),
    () => deleteEnded(db, before(30)),
    () => deleteImported(db, before(config.auditKeptDays)),
    () => deleteChanges(db, new Date(now.getTime() - changesKeptMs)),
    () => deleteRuns(db, before(30)),
  ]);
}
