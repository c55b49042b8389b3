/** The chosen template, filled in for this customer; staff can edit it before sending. */
import type { Form } from '#platform/pages/form.ts';
import { fillTemplate } from '#product/messaging/from-template/fill.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

export interface FilledForm {
  readonly form: Form;
  readonly notes: readonly string[];
}

export interface FilledFor {
  /** Null: the conversation is the workshop's no more. */
  readonly customerId: string | null;
  /** The booking that it is about; null: the customer's next one. */
  readonly bookingId: string | null;
  /** The field of the form that has the text. */
  readonly field: string;
}

/** The form's fields, with the text of the chosen template. */
export async function filledIn(
  { context, workshop, form }: WorkshopVisit,
  { customerId, bookingId, field }: FilledFor,
): Promise<FilledForm> {
  if (form['fill'] !== 'yes') return { form, notes: [] };
  const { workshopId } = workshop;
  const filled =
    customerId &&
    (await fillTemplate(context.db, {
      ...{ workshopId, templateId: form['template'] ?? '', customerId, bookingId },
      ...{ now: context.clock.now(), shown: (value: string) => textShown(value, workshop) },
    }));
  if (!filled) return { form, notes: ['Choose a template that is published.'] };
  const { text, missing } = filled;
  const notes = missing.length === 0 ? [] : [`Nothing is known for ${missing.join(', ')}: read it again.`];
  // The template is added below what was typed.
  const both = [form[field], text].filter(Boolean).join('\n');
  return { form: { ...form, [field]: both }, notes };
}
