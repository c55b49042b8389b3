/** The answers to what the dry run of a waiting file asks: the file is checked again with them. */
import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { QuestionKind } from '../questions.ts';
import { sourceOf } from '../source.ts';
import { inTurn } from './in-turn.ts';
import { asFault, gone, type OfFile, reportOf } from './stage.ts';
import { findFile, readContent, replaceReport } from './store.ts';

export interface Answers extends OfFile {
  /** The questions that are accepted. */
  readonly accepted: readonly QuestionKind[];
}

const matchedMeanwhile = () =>
  new OperatorError('somebody has matched the columns of the file meanwhile: read what its dry run says now');

/**
 * Throws InvalidInput when a question is left open, and while too many other files are being checked; OperatorError when the file is
 * being imported already, was dropped, or its columns were matched meanwhile.
 */
export async function answerQuestions(
  context: ChangeContext,
  { workshopId, id, accepted }: Answers,
): Promise<void> {
  const { db } = context;
  const file = await findFile(db, workshopId, id);
  const content = await readContent(db, workshopId, id);
  if (file?.state !== 'checked' || content === null) throw gone();
  const { questions = [], accepted: before = [] } = file.report;
  if (!questions.every(({ kind }) => accepted.includes(kind)))
    throw new InvalidInput([
      { field: 'answers', message: 'must be chosen for each question; or mend the file, and send it again' },
    ]);
  const order = questions.find((each) => each.order !== null)?.order ?? file.dateOrder;
  const check = {
    ...{ kind: file.kind, order, matched: file.matched, source: sourceOf('the file', content) },
    accepted: [...new Set([...before, ...questions.map(({ kind }) => kind)])],
  };
  const report = await inTurn(workshopId, () => reportOf(context, workshopId, check)).catch(asFault);
  await change(context, async ({ tx }) => {
    const checked = { id, workshopId, dateOrder: order, matched: file.matched, report };
    if (!(await replaceReport(tx, checked)))
      throw (await findFile(tx, workshopId, id))?.state === 'checked' ? matchedMeanwhile() : gone();
  });
}
