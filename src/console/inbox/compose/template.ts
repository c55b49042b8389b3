/** The chosen template, filled in for this customer; staff can edit it before sending. */
import type { Form } from '#platform/pages/form.ts';
import { fillTemplate } from '#product/messaging/from-template/fill.ts';
import { findAnswered } from '#product/messaging/inbox/answered/store.ts';
import { textShown } from '../../frame/masked.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';

export interface FilledForm {
  readonly form: Form;
  readonly notes: readonly string[];
}

/** The form's fields, with the text of the chosen template. */
export async function filledIn(visit: WorkshopVisit, conversationId: string): Promise<FilledForm> {
  const { context, workshop, form } = visit;
  if (form['fill'] !== 'yes') return { form, notes: [] };
  const { workshopId } = workshop;
  const to = await findAnswered(context.db, workshopId, conversationId);
  const filled =
    to &&
    (await fillTemplate(context.db, {
      ...{ workshopId, templateId: form['template'] ?? '', customerId: to.customerId },
      ...{ now: context.clock.now(), shown: (value: string) => textShown(value, workshop) },
    }));
  if (!filled) return { form, notes: ['Choose a template that is published.'] };
  const { text, missing } = filled;
  const notes = missing.length === 0 ? [] : [`Nothing is known for ${missing.join(', ')}: read it again.`];
  // The template is added below what was typed.
  const answer = [form['answer'], text].filter(Boolean).join('\n');
  return { form: { ...form, answer }, notes };
}
