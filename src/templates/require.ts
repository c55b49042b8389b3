/** A template that a command names. */
import type { Queryable } from '#db/database.ts';
import { OperatorError } from '#operator-error.ts';
import { isId } from '#values/id.ts';
import { findTemplate, type Template } from './store.ts';

/** Throws OperatorError when there is no such template. */
export async function requireTemplate(db: Queryable, templateId: string): Promise<Template> {
  const template = isId(templateId) ? await findTemplate(db, templateId) : null;
  if (!template)
    throw new OperatorError(`there is no template ${templateId} (pitlane template list shows them)`);
  return template;
}
