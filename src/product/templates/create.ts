/** Creates a template, as a draft. */

import { InvalidInput, takenByAnother } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { insertTemplate } from './store.ts';
import { judgeTexts, type Texts } from './texts.ts';
import { ofTemplate } from './trail.ts';

export interface TemplateInput extends Texts {
  readonly workshopId: string;
  /** Differs from the names of the workshop's other templates, ignoring case. */
  readonly name: string;
  readonly body: string;
  /** Absent: `inbox`. */
  readonly purpose?: string;
}

/** `<event>.<audience>.<channel>`: the notice that the text is for. */
const noticeForm = /^[a-z][A-Za-z]*\.(?:customer|workshop)\.(?:sms|email)$/;

export interface WrittenTemplate {
  readonly templateId: string;
  readonly version: number;
  /** Sentences for people: placeholders that will render empty, with the nearest known one, and links that may break in an SMS. */
  readonly warnings: readonly string[];
}

/** Throws InvalidInput, which names every bad field, and OperatorError when there is no such workshop. */
export async function createTemplate(
  context: ChangeContext,
  { workshopId: named, purpose = 'inbox', ...given }: TemplateInput,
  actor: Actor,
): Promise<WrittenTemplate> {
  const { db } = context;
  const { texts, inspected, errors, warnings } = judgeTexts(given, purpose);
  const faults = [...errors];
  if (purpose !== 'inbox' && !noticeForm.test(purpose)) {
    faults.push({
      field: 'purpose',
      message: 'must be inbox or a notice, such as bookingCreated.customer.sms',
    });
  }
  if (faults.length > 0 || inspected === null) throw new InvalidInput(faults);
  const { name = '', body = '', subject = null } = texts;
  const { placeholders, requiresBooking } = inspected;

  const { workshopId } = await requireWorkshop(db, named);
  const template = { id: newId(), workshopId, purpose, name, subject, body, placeholders, requiresBooking };
  await change(context, async ({ tx, now: at }) => {
    if (!(await insertTemplate(tx, template, at))) throw takenByAnother('template', 'name', name);
    const after = { purpose, name, subject, body };
    await recordEntry(tx, { ...ofTemplate(template, actor, 'created', at), after });
  });
  return { templateId: template.id, version: 1, warnings };
}
