/**
 * A file uploaded on a page: its dry run is made at once, and the file is kept until it is imported, dropped, or a day has passed.
 */
import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import { type Actor, storedActor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { oneLineOf } from '#base/values/one-line.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { type Check, checkFile } from '../check.ts';
import { importKinds } from '../columns.ts';
import { dateOrders } from '../days.ts';
import { recordImport } from '../import.ts';
import type { RowFault } from '../rows.ts';
import { sourceOf } from '../source.ts';
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
  readonly alongside?: Alongside<{ readonly id: string }>;
}

/**
 * Resolves to its id. Throws InvalidInput, also for a file that can't be read at all, or while too many others are being checked.
 */
export async function stageFile({ db, clock }: Needed, sent: SentFile): Promise<string> {
  const { workshopId, file, actor } = sent;
  const kind = importKinds.find((each) => each === sent.kind);
  const order = dateOrders.find((each) => each === sent.order) ?? null;
  if (kind === undefined) throw new InvalidInput([{ field: 'kind', message: 'must be chosen' }]);
  if (file === null || file.content.length === 0)
    throw new InvalidInput([{ field: 'file', message: 'is missing, or empty' }]);
  const check = { kind, order, source: sourceOf('the file', file.content) };
  const report = await reportOf({ db, clock }, workshopId, check);
  const id = newId();
  await db.transaction(async (tx) => {
    await insertFile(tx, {
      ...{ id, workshopId, kind, fileName: oneLineOf(file.name, fileNameAtMost), dateOrder: order },
      ...{ report, actor: storedActor(actor), content: file.content },
    });
    await dropOlder(tx, workshopId, waitingAtMost);
    await sent.alongside?.(tx, { id });
  });
  return id;
}

/** The dry run. Throws InvalidInput for a file that can't be read at all, or while too many others are being checked. */
export async function reportOf(context: Needed, workshopId: string, check: Check): Promise<Report> {
  const workshop = await requireWorkshop(context.db, workshopId);
  const firstFaults: RowFault[] = [];
  const notes = {
    faults: (of: readonly RowFault[]) =>
      void firstFaults.push(...of.slice(0, shownFaults - firstFaults.length)),
    progress: () => undefined,
  };
  const checked = await inTurn(workshopId, () => checkFile(context, workshop, check, notes)).catch(asFault);
  return { ...checked, firstFaults };
}

function asFault(error: unknown): never {
  if (error instanceof Problem && error.status === 429)
    throw new InvalidInput([{ field: 'file', message: `is not checked yet. ${error.message}` }]);
  if (!(error instanceof OperatorError) || error instanceof InvalidInput) throw error;
  throw new InvalidInput([{ field: 'file', message: `can't be read: ${error.message}` }]);
}

export interface OfFile {
  readonly workshopId: string;
  readonly id: string;
  readonly actor: Actor;
  readonly alongside?: Alongside<{ readonly id: string }>;
}

/**
 * Begins the import, which the schedule continues. Throws InvalidInput while the dry run asks something, or when rows have faults and
 * `skipFaulty` is not set, and OperatorError when it was begun or dropped already.
 */
export async function beginImport(
  { db, clock }: Needed,
  { workshopId, id, actor, alongside, skipFaulty }: OfFile & { readonly skipFaulty: boolean },
): Promise<void> {
  await db.transaction(async (tx) => {
    const file = await findFile(tx, workshopId, id);
    if (file === null || !(await beginFile(tx, workshopId, id))) throw gone();
    if ((file.report.questions ?? []).length > 0)
      throw new InvalidInput([
        { field: 'answers', message: 'are missing: answer what the dry run asks first' },
      ]);
    if (file.report.faults > 0 && !skipFaulty)
      throw new InvalidInput([
        { field: 'skipFaulty', message: 'must be chosen while rows have faults; or mend the file' },
      ]);
    await recordImport(tx, { workshopId, kind: file.kind, checked: file.report, actor, at: clock.now() });
    await alongside?.(tx, { id });
  });
}

/** Drops the file without importing it. Throws OperatorError when it was begun or dropped already. */
export async function dropFile({ db }: Needed, { workshopId, id, alongside }: OfFile): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await deleteFile(tx, workshopId, id))) throw gone();
    await alongside?.(tx, { id });
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
    const check = {
      ...{ kind: file.kind, order: file.dateOrder, accepted: file.report.accepted },
      source: sourceOf(file.fileName, content),
    };
    await checkFile({ db, clock }, workshop, check, {
      faults: (of) => void faults.push(...of),
      progress: () => undefined,
    });
    return faults;
  });
}
