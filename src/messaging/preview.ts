/** Previews a text, or a filled template, as an SMS: segments, encoding and warnings. Nothing is sent or stored. */
import { bookingVariables, workshopVariables } from '#bookings/template-variables.ts';
import { requireCustomer } from '#customers/require.ts';
import type { Queryable } from '#db/database.ts';
import { InvalidInput, OperatorError } from '#operator-error.ts';
import type { TemplateVariables } from '#templates/fields.ts';
import { inspectTemplate, renderTemplate } from '#templates/render.ts';
import { TemplateError } from '#templates/template-error.ts';
import { isId } from '#values/id.ts';
import { linkWarnings } from '#values/link-warnings.ts';
import { linkAcross, linksIn } from '#values/links.ts';
import { charactersOutsideGsm } from '#values/sms-alphabet.ts';
import { measureSms, type SmsMeasure, splitSms } from '#values/sms-text.ts';
import { normaliseString } from '#values/text.ts';
import { findPreviewBooking, findPreviewTemplate, type PreviewTemplate } from './from-template/store.ts';
import { segmentsAtMost } from './rules.ts';

export interface SmsPreview extends SmsMeasure {
  readonly text: string;
  /** The characters that make it UCS-2; none in the SMS alphabet. */
  readonly outsideGsm: string[];
  /** True when it has more segments than may be sent. */
  readonly tooLong: boolean;
  /** The text of each segment; the whole text when there is one. */
  readonly parts: string[];
  /** Sentences for people: links that may break, placeholders that are empty. */
  readonly warnings: string[];
}

/** Normalises the text as the API does, so that it measures what would be sent. */
export function previewText(typed: string): SmsPreview {
  const text = normaliseString(typed);
  const { encoding, segments, units, perSegment, unitsLeft } = measureSms(text);
  const outsideGsm = charactersOutsideGsm(text);
  const tooLong = segments > segmentsAtMost;
  const parts = splitSms(text);
  const warnings = [...linkWarnings(text), ...cutLinks(text, parts)];
  return { text, encoding, segments, units, perSegment, unitsLeft, outsideGsm, tooLong, parts, warnings };
}

function cutLinks(text: string, parts: readonly string[]): string[] {
  const links = linksIn(text);
  let at = 0;
  return parts.flatMap((part, index) => {
    at += part.length;
    const link = linkAcross(links, at);
    return link === null
      ? []
      : [`${link.text} is cut after part ${index + 1}: not every phone joins it again`];
  });
}

export interface FilledWith {
  readonly templateId: string;
  readonly customerId?: string;
  readonly bookingId?: string;
}

/** Throws OperatorError when the template, customer or booking does not exist, and InvalidInput when the template can't be rendered. */
export async function previewTemplate(db: Queryable, named: FilledWith): Promise<SmsPreview> {
  const { templateId } = named;
  const template = isId(templateId) ? await findPreviewTemplate(db, templateId) : null;
  if (!template)
    throw new OperatorError(`there is no template ${templateId} (pitlane template list shows them)`);
  const variables = await variablesOf(db, template, named);
  try {
    const preview = previewText(renderTemplate(template.body, variables));
    return { ...preview, warnings: [...emptyFields(template.body, variables), ...preview.warnings] };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new InvalidInput([{ field: 'template', message: `can't be rendered: ${error.message}` }]);
  }
}

/** A warning about placeholders that render empty since neither a customer nor a booking was named for them. */
function emptyFields(body: string, variables: TemplateVariables): string[] {
  const { placeholders, requiresBooking } = inspectTemplate(body);
  const empty = placeholders.filter((path) => !Object.hasOwn(variables, path.split('.')[0] ?? ''));
  if (empty.length === 0) return [];
  const named = requiresBooking ? '--booking' : '--customer or --booking';
  return [`${empty.join(', ')} ${empty.length > 1 ? 'are' : 'is'} empty here: name a ${named}`];
}

async function variablesOf(
  db: Queryable,
  { workshopId, workshop }: PreviewTemplate,
  { customerId, bookingId }: FilledWith,
): Promise<TemplateVariables> {
  if (bookingId !== undefined) {
    const booking = isId(bookingId) ? await findPreviewBooking(db, workshopId, bookingId) : null;
    if (!booking) throw new OperatorError(`the template's workshop has no booking ${bookingId}`);
    if (customerId !== undefined && customerId !== booking.customerId) {
      throw new OperatorError(`booking ${bookingId} is not one of customer ${customerId}`);
    }
    return bookingVariables(booking, workshop);
  }
  if (customerId === undefined) return { workshop: workshopVariables(workshop) };
  const customer = await requireCustomer(db, customerId);
  if (customer.workshopId !== workshopId) {
    throw new OperatorError(`customer ${customerId} is not one of the template's workshop`);
  }
  const { name, firstName, lastName, email, phone, company } = customer;
  return {
    customer: { name, firstName, lastName, email, phone, company },
    workshop: workshopVariables(workshop),
  };
}
