/** Changes the texts of a template: a new version of it. */
import type { Clock } from '#base/clock.ts';
import { InvalidInput, takenByAnother } from '#base/operator-error.ts';
import { type Queryable, violatedConstraint } from '#platform/db/database.ts';
import type { WrittenTemplate } from './create.ts';
import { requireTemplate, updateTexts } from './store.ts';
import { judgeTexts, type Texts } from './texts.ts';

/**
 * Changes what is given; an empty subject makes way for the default one. A published template is sent with its new texts from
 * then on. Texts that equal the present ones make no version. Throws InvalidInput, which names every bad field, and
 * OperatorError when there is no such template.
 */
export async function updateTemplate(
  db: Queryable,
  clock: Clock,
  templateId: string,
  { subject: givenSubject, ...given }: Texts,
): Promise<WrittenTemplate> {
  const { id, purpose } = await requireTemplate(db, templateId);
  const takesDefault = givenSubject?.trim() === '';
  const subjectOf = givenSubject === undefined || takesDefault ? {} : { subject: givenSubject };
  const { texts, inspected, errors, warnings } = judgeTexts({ ...given, ...subjectOf }, purpose);
  if (errors.length > 0) throw new InvalidInput(errors);
  const changes = { ...texts, ...inspected, takesDefault };
  try {
    return { templateId: id, version: await updateTexts(db, id, changes, clock.now()), warnings };
  } catch (error) {
    if (texts.name !== undefined && violatedConstraint(error) === 'template_name')
      throw takenByAnother('template', 'name', texts.name);
    throw error;
  }
}
