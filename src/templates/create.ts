/** Creates a template, as a draft. */
import type { Clock } from '#clock.ts';
import type { Queryable } from '#db/database.ts';
import type { FieldError } from '#errors.ts';
import { InvalidInput } from '#operator-error.ts';
import { newId } from '#values/id.ts';
import { linkWarnings } from '#values/link-warnings.ts';
import { nameFault } from '#values/name.ts';
import { normaliseString } from '#values/text.ts';
import { requireWorkshop } from '#workshops/require.ts';
import { inspectTemplate, type TemplateInspection } from './render.ts';
import { insertTemplate } from './store.ts';
import { TemplateError } from './template-error.ts';

export interface TemplateInput {
  readonly workshopId: string;
  readonly name: string;
  readonly body: string;
  /** `inbox` when absent. */
  readonly purpose?: string;
  /** Of an e-mail notice. */
  readonly subject?: string;
}

/** `<event>.<audience>.<channel>`: the notice that the text is for. */
const noticeForm = /^[a-z][A-Za-z]*\.(?:customer|workshop)\.(?:sms|email)$/;

const nothing: TemplateInspection = { placeholders: [], requiresBooking: false, unknown: [] };

/** The body with a letter for each placeholder, as it might be rendered. */
const filledIn = (body: string) => body.replace(/\{%.*?%\}/gsu, '').replace(/\{\{.*?\}\}/gsu, 'x');

/**
 * `unknown` are placeholders of the body that will render empty, most likely mistyped. `warnings` name links that are likely
 * to break in an SMS.
 * Throws InvalidInput, which names every bad field, and OperatorError when there is no such workshop.
 */
export async function createTemplate(
  db: Queryable,
  clock: Clock,
  input: TemplateInput,
): Promise<{ templateId: string; unknown: readonly string[]; warnings: readonly string[] }> {
  const errors: FieldError[] = [];
  const refuse = (field: string, message: string | null) =>
    message !== null && errors.push({ field, message });

  function inspect(field: 'body' | 'subject', text: string): TemplateInspection {
    try {
      return inspectTemplate(text);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      refuse(field, error.message);
      return nothing;
    }
  }

  const name = normaliseString(input.name);
  refuse('name', nameFault(name));
  const body = normaliseString(input.body);
  refuse('body', textFault(body));
  const { unknown, ...inspected } = inspect('body', body);
  const purpose = input.purpose ?? 'inbox';
  if (purpose !== 'inbox' && !noticeForm.test(purpose)) {
    refuse('purpose', 'must be inbox or a notice, such as bookingCreated.customer.sms');
  }
  const subject = input.subject === undefined ? null : normaliseString(input.subject);
  if (subject !== null) {
    refuse('subject', purpose.endsWith('.email') ? nameFault(subject) : 'is for e-mail notices only');
    inspect('subject', subject);
  }
  if (errors.length > 0) throw new InvalidInput(errors);

  const { workshopId } = await requireWorkshop(db, input.workshopId);
  const templateId = newId();
  await insertTemplate(
    db,
    { id: templateId, workshopId, purpose, name, subject, body, ...inspected },
    clock.now(),
  );
  const warnings = purpose.endsWith('.email') ? [] : linkWarnings(filledIn(body));
  return { templateId, unknown, warnings };
}

function textFault(text: string): string | null {
  if (text === '') return 'must not be empty';
  return text.includes('\0') ? 'must not have NUL characters' : null;
}
