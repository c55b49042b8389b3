/** Matches the columns of a waiting file by hand: another dry run, and the choice is kept for the next file of its form. */
import { InvalidInput } from '#base/operator-error.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { guessMatched, type SampledColumn } from '../matched/guess.ts';
import { type Matched, readMatched } from '../matched/match.ts';
import { type Sampled, sampleColumns } from '../matched/sample.ts';
import { keepForm } from '../matched/store.ts';
import { sourceOf } from '../source.ts';
import { inTurn } from './in-turn.ts';
import { asFault, gone, reportOf } from './stage.ts';
import { type ImportFile, matchFile, readContent } from './store.ts';

type Needed = Pick<Context, 'db' | 'clock'>;

export interface ColumnsShown {
  readonly columns: readonly SampledColumn[];
  /** The chosen field of each column, else a guess. */
  readonly matched: Matched;
}

/** The columns of a waiting file with their first values, which are customers' data; null: its content is gone. */
export async function readColumnsOf(
  { db }: Pick<Needed, 'db'>,
  file: ImportFile,
): Promise<ColumnsShown | null> {
  const { country } = await requireWorkshop(db, file.workshopId);
  const sampled = await sampledOf(db, file);
  if (sampled === null) return null;
  const { columns } = sampled;
  return { columns, matched: file.matched ?? guessMatched(file.kind, columns, country) };
}

async function sampledOf(
  db: Needed['db'],
  file: ImportFile,
): Promise<(Sampled & { readonly content: Buffer }) | null> {
  const content = await readContent(db, file.workshopId, file.id);
  if (content === null) return null;
  return { ...(await sampleColumns(file.kind, sourceOf('the file', content))), content };
}

/**
 * `given`: the field of each column as a form sends it, by the names of `columnField`. Throws InvalidInput at the columns that can't be so, also
 * while too many files are being checked, and OperatorError when the file was begun or dropped meanwhile.
 */
export async function matchColumns(
  context: ChangeContext,
  file: ImportFile,
  given: (name: string) => string | undefined,
): Promise<void> {
  const { db } = context;
  const { id, workshopId, kind, report: last } = file;
  // The order that an answer gave is of the column that was asked about.
  const order = last.accepted?.includes('short-years') ? null : file.dateOrder;
  const sampled = file.state === 'checked' ? await sampledOf(db, file) : null;
  if (sampled === null) throw gone();
  const { columns, form, content } = sampled;
  const headings = columns.map(({ heading }) => heading);
  const { matched, faults } = readMatched(kind, headings, given);
  if (faults.length > 0) throw new InvalidInput(faults);
  const source = sourceOf('the file', content);
  const report = await inTurn(workshopId, () =>
    reportOf(context, workshopId, { kind, order, source, matched }),
  ).catch(asFault);
  await change(context, async ({ tx }) => {
    if (!(await matchFile(tx, { id, workshopId, dateOrder: order, matched, report }))) throw gone();
    await keepForm(tx, { workshopId, kind, form }, matched);
  });
}
