/**
 * Imports a file after its dry run, set by set: each set is one commit, so that the import can be interrupted at any time and
 * repeated.
 */
import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { Workshop } from '#product/workshops/store.ts';
import type { Check, Checked } from './check.ts';
import { type Counts, noCounts, sumOf } from './counts.ts';
import { importContextOf, rowSets } from './entries.ts';
import { openTable } from './rows.ts';
import { isTakingBack } from './take-back/run/store.ts';
import { writeSet } from './write.ts';

export interface ImportNotes {
  progress(rows: number): void;
  /** Called with the id by which it can be taken back, in time to be told if the import breaks off. */
  begun?(importId: string): void;
}

/**
 * Rows with faults are skipped. The trail records who began it, with the counts of the dry run, in the commit of the first rows,
 * and the result at the end. Resolves to the result. Throws OperatorError while another import of the workshop is being taken back.
 */
export async function importFile(
  context: ChangeContext,
  workshop: Workshop,
  { kind, source, order, accepted, matched = null }: Check,
  of: { readonly checked: Checked; readonly actor: Actor },
  notes: ImportNotes,
): Promise<Counts> {
  await requireNoTakeBack(context.db, workshop.workshopId);
  const table = await openTable(kind, source, matched);
  const now = context.clock.now();
  const ground = await importContextOf(context.db, workshop, { kind, order, accepted, now });
  const run = { importId: newId(), workshopId: workshop.workshopId, kind };
  let [counts, isBegun] = [noCounts, false];
  for await (const set of rowSets(table, workshop.workshopId, ground)) {
    if (!isBegun) notes.begun?.(run.importId);
    const isFirst = !isBegun;
    const done = await change(context, async ({ tx, now: at }) => {
      const written = await writeSet(tx, run, set, at);
      if (isFirst) await recordImport(tx, { ...of, kind, workshopId: workshop.workshopId, at: now });
      return written;
    });
    isBegun = true;
    counts = sumOf(counts, done);
    notes.progress(set.rows);
  }
  if (isBegun)
    await change(context, ({ tx, now: at }) =>
      recordImportEnd(tx, { ...of, kind, counts, workshopId: workshop.workshopId, at }),
    );
  return counts;
}

/** Rows of an import that is being taken back count as imported until it ends: the same file would be left alone, and then be gone. */
export async function requireNoTakeBack(db: Queryable, workshopId: string): Promise<void> {
  if (await isTakingBack(db, workshopId))
    throw new OperatorError('another import is being taken back: import this file when that has ended');
}

interface Recorded {
  readonly workshopId: string;
  readonly kind: string;
  readonly actor: Actor;
  readonly at: Date;
}

/** Writes the trail entry: counts, without personal data. */
export function recordImport(
  tx: Queryable,
  of: Recorded & { readonly checked: Pick<Checked, 'counts'> },
): Promise<void> {
  return recordEntry(tx, entryOf('workshop.imported', of, of.checked.counts));
}

/** Writes the trail entry of the result. Rows are imported without events, so open pages are updated by this entry. */
export function recordImportEnd(tx: Queryable, of: Recorded & { readonly counts: Counts }): Promise<void> {
  return recordEntry(tx, entryOf('workshop.importEnded', of, of.counts));
}

const entryOf = (action: string, { workshopId, kind, actor, at }: Recorded, counts: Counts) => ({
  ...{ actor, workshopId, action, at },
  ...{ subject: { kind: 'workshop', id: workshopId }, after: { kind, ...counts } },
});
