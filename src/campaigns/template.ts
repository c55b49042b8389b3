/** The template of an automation or a blast: a published inbox template of the workshop. */
import type { Queryable } from '#db/database.ts';
import type { FieldError } from '#errors.ts';
import { findTemplate, type Template } from '#templates/store.ts';
import { isId } from '#values/id.ts';

/** `withBooking`: whether each text is about a booking, so that the template may need one. */
export async function judgeTemplate(
  db: Queryable,
  { workshopId, templateId, withBooking }: { workshopId: string; templateId: string; withBooking: boolean },
): Promise<{ readonly template: Template } | { readonly found: readonly FieldError[] }> {
  const template = isId(templateId) ? await findTemplate(db, templateId) : null;
  const fault = faultOf(template?.workshopId === workshopId ? template : null, withBooking);
  if (template !== null && fault === null) return { template };
  return { found: [{ field: 'template', message: fault ?? '' }] };
}

function faultOf(template: Template | null, withBooking: boolean): string | null {
  if (template === null) return 'is not a template of this workshop (pitlane template list shows them)';
  if (template.purpose !== 'inbox') return 'is the text of a notice; take one with the purpose inbox';
  if (template.status !== 'published') return 'is a draft: publish it with pitlane template publish';
  if (template.requiresBooking && !withBooking)
    return 'needs a booking (it uses booking.* or car.*), and these texts are about none';
  return null;
}
