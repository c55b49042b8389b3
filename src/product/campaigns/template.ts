/** The template of an automation or a blast: a published inbox template of the workshop. */

import type { FaultCode, FieldFault } from '#base/operator-error.ts';
import { isId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';
import { findTemplate, type Template } from '#product/templates/store.ts';

/** `withBooking`: each text is about a booking, so the template may use its fields. */
export async function judgeTemplate(
  db: Queryable,
  { workshopId, templateId, withBooking }: { workshopId: string; templateId: string; withBooking: boolean },
): Promise<{ readonly template: Template } | { readonly found: readonly FieldFault[] }> {
  const template = isId(templateId) ? await findTemplate(db, templateId) : null;
  if (template?.workshopId !== workshopId)
    return refused('is not a template of this workshop', 'templateUnknown');
  if (template.purpose !== 'inbox')
    return refused('is the text of a notice; take one with the purpose inbox');
  if (template.status !== 'published') return refused('is a draft: publish it', 'templateDraft');
  if (template.requiresBooking && !withBooking)
    return refused('needs a booking (it uses booking.* or car.*), and these texts are about none');
  return { template };
}

const refused = (message: string, code?: FaultCode): { readonly found: readonly FieldFault[] } => ({
  found: [{ field: 'template', message, ...(code && { code }) }],
});
