/** The answers to what the dry run of a waiting file asks: it is checked again with them, and takes the place of the file before. */
import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import type { Context } from '#platform/context.ts';
import type { QuestionKind } from '../questions.ts';
import { type OfFile, stageFile } from './stage.ts';
import { deleteFile, findFile, readContent } from './store.ts';

export interface Answers extends OfFile {
  /** Of the questions that are open, those that are accepted. */
  readonly accepted: readonly QuestionKind[];
}

/**
 * Resolves to the id of the file, which is another one than before. Throws InvalidInput when a question is left open, and as
 * `stageFile`; OperatorError when the file is being imported already, or was dropped.
 */
export async function answerQuestions(
  ctx: Pick<Context, 'db' | 'clock'>,
  { workshopId, id, actor, accepted, alongside }: Answers,
): Promise<string> {
  const file = await findFile(ctx.db, workshopId, id);
  const content = await readContent(ctx.db, workshopId, id);
  if (file?.state !== 'checked' || content === null) throw gone();
  const { questions = [], accepted: before = [] } = file.report;
  if (!questions.every(({ kind }) => accepted.includes(kind)))
    throw new InvalidInput([
      { field: 'answers', message: 'must be chosen for each question; or mend the file, and send it again' },
    ]);
  const order = questions.find((each) => each.order !== null)?.order ?? file.dateOrder;
  return stageFile(ctx, {
    ...{ workshopId, kind: file.kind, order: order ?? '', actor },
    accepted: [...new Set([...before, ...questions.map(({ kind }) => kind)])],
    file: { name: file.fileName, content },
    alongside: async (tx, made) => {
      if (!(await deleteFile(tx, workshopId, id))) throw gone();
      await alongside?.(tx, made);
    },
  });
}

const gone = () => new OperatorError('the file is being imported already, or was dropped: send it again');
