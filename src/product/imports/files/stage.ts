/**
 * A file uploaded on a page: its dry run is made at once, and the file is kept until it is imported, dropped, or a day has passed.
 */
import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import { type Actor, storedActor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { oneLineOf } from '#base/values/one-line.ts';
import { Problem } from '#errors.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { type Check, checkFile } from '../check.ts';
import { ColumnsUnclear, type ImportKind, importKinds } from '../columns.ts';
import { noCounts } from '../counts.ts';
import { dateOrders } from '../days.ts';
import { recordImport, requireNoTakeBack } from '../import.ts';
import { formOf, type Matched, storedMatched } from '../matched/match.ts';
import { findForm } from '../matched/store.ts';
import { openHead, type RowFault } from '../rows.ts';
import { type Source, sourceOf } from '../source.ts';
import { inTurn } from './in-turn.ts';
import { beginFile, deleteFile, dropOlder, findFile, insertFile, type Report, readContent } from './store.ts';

/** 5 MB. */
export const fileAtMostBytes = 5 * 1024 * 1024;
/** The number of faults stored with the file; the others are computed again on request. */
export const shownFaults = 200;
const waitingAtMost = 3;
const fileNameAtMost = 100;

type Needed = Pick<Context, 'db' | 'clock'>;

export interface SentFile {
  readonly workshopId: string;
  readonly kind: string;
  /** Empty: not chosen. */
  readonly order: string;
  /** Null: no file was chosen. */
  readonly file: { readonly name: string; readonly content: Buffer } | null;
  readonly actor: Actor;
}

/** A file that is waiting, and whether its columns have to be matched by hand before it can be imported. */
export interface Staged {
  readonly id: string;
  readonly isUnclear: boolean;
}

/**
 * Takes over the choice by hand for the columns of the last file of this form. Throws InvalidInput, also for a file that can't be read at all, or while too many others are being checked.
 */
export async function stageFile(context: ChangeContext, sent: SentFile): Promise<Staged> {
  const { db } = context;
  const { workshopId, file, actor } = sent;
  const kind = importKinds.find((each) => each === sent.kind);
  const order = dateOrders.find((each) => each === sent.order) ?? null;
  if (kind === undefined) throw new InvalidInput([{ field: 'kind', message: 'must be chosen' }]);
  if (file === null || file.content.length === 0)
    throw new InvalidInput([{ field: 'file', message: 'is missing, or empty' }]);
  const source = sourceOf('the file', file.content);
  const { matched, report } = await inTurn(workshopId, async () => {
    const known = await rememberedFor(db, { workshopId, kind }, source);
    return {
      matched: known,
      report: await reportOf(context, workshopId, { kind, order, source, matched: known }),
    };
  }).catch(asFault);
  const staged = { id: newId(), isUnclear: report.unclear !== undefined };
  return change(context, async ({ tx }) => {
    await insertFile(tx, {
      ...{
        id: staged.id,
        workshopId,
        kind,
        fileName: oneLineOf(file.name, fileNameAtMost),
        dateOrder: order,
      },
      ...{ matched, report, actor: storedActor(actor), content: file.content },
    });
    await dropOlder(tx, workshopId, waitingAtMost);
    return staged;
  });
}

/** Reads the choice for the last file of this form at the workshop; null: there is none. */
export async function rememberedFor(
  db: Needed['db'],
  { workshopId, kind }: { readonly workshopId: string; readonly kind: ImportKind },
  source: Source,
): Promise<Matched | null> {
  const { cells } = await openHead(kind, source);
  return storedMatched(kind, cells, await findForm(db, { workshopId, kind, form: formOf(cells) }));
}

/** The dry run for display; where the headings do not say how the file is read, why. */
export async function reportOf(needed: Needed, workshopId: string, check: Check): Promise<Report> {
  const workshop = await requireWorkshop(needed.db, workshopId);
  const firstFaults: RowFault[] = [];
  const notes = {
    faults: (of: readonly RowFault[]) =>
      void firstFaults.push(...of.slice(0, shownFaults - firstFaults.length)),
    progress: () => undefined,
  };
  try {
    return { ...(await checkFile(needed, workshop, check, notes)), firstFaults };
  } catch (error) {
    if (!(error instanceof ColumnsUnclear)) throw error;
    const { encoding } = await openHead(check.kind, check.source);
    return { counts: noCounts, ignored: [], encoding, faults: 0, firstFaults: [], unclear: error.message };
  }
}

export function asFault(error: unknown): never {
  if (error instanceof Problem && error.status === 429)
    throw new InvalidInput([{ field: 'file', message: `is not checked yet. ${error.message}` }]);
  if (!(error instanceof OperatorError) || error instanceof InvalidInput) throw error;
  throw new InvalidInput([{ field: 'file', message: `can't be read: ${error.message}` }]);
}

export interface OfFile {
  readonly workshopId: string;
  readonly id: string;
}

export interface Beginning extends OfFile {
  readonly actor: Actor;
  readonly skipFaulty: boolean;
}

/**
 * Begins the import, which the schedule continues. Throws InvalidInput while the dry run asks something, or when rows have faults and
 * `skipFaulty` is not set, and OperatorError when it was begun or dropped already, or while another import is being taken back.
 */
export async function beginImport(
  context: ChangeContext,
  { workshopId, id, actor, skipFaulty }: Beginning,
): Promise<void> {
  await change(context, async ({ tx, now }) => {
    if (!(await beginFile(tx, workshopId, id))) throw gone();
    await requireNoTakeBack(tx, workshopId);
    // As it is while it is locked: with another choice of its columns it has another dry run.
    const file = await findFile(tx, workshopId, id);
    if (file === null) throw gone();
    if (file.report.unclear !== undefined)
      throw new OperatorError(`the columns have to be matched first: ${file.report.unclear}`);
    if ((file.report.questions ?? []).length > 0)
      throw new InvalidInput([
        { field: 'answers', message: 'are missing: answer what the dry run asks first' },
      ]);
    if (file.report.faults > 0 && !skipFaulty)
      throw new InvalidInput([
        { field: 'skipFaulty', message: 'must be chosen while rows have faults; or mend the file' },
      ]);
    await recordImport(tx, { workshopId, kind: file.kind, checked: file.report, actor, at: now });
  });
}

/** Drops the file without importing it. Throws OperatorError when it was begun or dropped already. */
export async function dropFile(context: ChangeContext, { workshopId, id }: OfFile): Promise<void> {
  await change(context, async ({ tx }) => {
    if (!(await deleteFile(tx, workshopId, id))) throw gone();
  });
}

export const gone = () =>
  new OperatorError('the file is being imported already, or was dropped: send it again');

/** Every fault of a waiting file; null: its content was deleted. Throws 429 while too many others are being checked. */
export async function allFaults(
  { db, clock }: Needed,
  workshopId: string,
  id: string,
): Promise<readonly RowFault[] | null> {
  const workshop = await requireWorkshop(db, workshopId);
  return inTurn(workshopId, async () => {
    const file = await findFile(db, workshopId, id);
    const content = await readContent(db, workshopId, id);
    if (file === null || content === null) return null;
    const faults: RowFault[] = [];
    const { kind, dateOrder: order, matched } = file;
    const { accepted, unclear } = file.report;
    if (unclear !== undefined) return [];
    const check = { kind, order, matched, accepted, source: sourceOf(file.fileName, content) };
    await checkFile({ db, clock }, workshop, check, {
      faults: (of) => void faults.push(...of),
      progress: () => undefined,
    });
    return faults;
  });
}
