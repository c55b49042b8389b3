/** Changes the texts of a template: a new version of it. */

import { InvalidInput, takenByAnother } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { violatedConstraint } from '#platform/db/errors.ts';
import type { WrittenTemplate } from './create.ts';
import { requireTemplate, type Template, updateTexts } from './store.ts';
import { judgeTexts, type Texts } from './texts.ts';
import { ofTemplate } from './trail.ts';

/**
 * Changes the given texts; an empty subject restores the default one. A published template is sent with its new texts from then on.
 * Texts equal to the present ones create no version. Throws InvalidInput, which names every bad field, and OperatorError when there
 * is no such template.
 */
export async function updateTemplate(
  context: ChangeContext,
  templateId: string,
  { subject: givenSubject, ...given }: Texts,
  actor: Actor,
): Promise<WrittenTemplate> {
  const { db } = context;
  const { id, purpose } = await requireTemplate(db, templateId);
  const takesDefault = givenSubject?.trim() === '';
  const subjectOf = givenSubject === undefined || takesDefault ? {} : { subject: givenSubject };
  const { texts, inspected, errors, warnings } = judgeTexts({ ...given, ...subjectOf }, purpose);
  if (errors.length > 0) throw new InvalidInput(errors);
  const changes = { ...texts, ...inspected, takesDefault };
  try {
    const version = await change(context, async ({ tx, now: at }) => {
      const present = await requireTemplate(tx, id);
      const changed = await updateTexts(tx, id, changes, at);
      const next = await requireTemplate(tx, id);
      const entry = ofTemplate(present, actor, 'changed', at);
      await recordEntry(tx, { ...entry, before: textsOf(present), after: textsOf(next) });
      return changed;
    });
    return { templateId: id, version, warnings };
  } catch (error) {
    if (texts.name !== undefined && violatedConstraint(error) === 'template_name')
      throw takenByAnother('template', 'name', texts.name);
    throw error;
  }
}

const textsOf = ({ name, subject, body }: Template) => ({ name, subject, body });
