/** Previews a version of a template, filled with a customer, a booking or sample values. Nothing is sent or stored. */

import { InvalidInput, notOf, OperatorError } from '#base/operator-error.ts';
import { isId } from '#base/values/id.ts';
import { normaliseString } from '#base/values/text.ts';
import type { Queryable } from '#platform/db/database.ts';
import {
  bookingVariables,
  type TemplateWorkshop,
  workshopVariables,
} from '#product/bookings/template-variables.ts';
import { requireCustomer } from '#product/customers/store.ts';
import type { Channel } from '#product/sending/kinds.ts';
import type { TemplateVariables } from '#product/templates/fields.ts';
import { renderTemplate } from '#product/templates/render.ts';
import { sampleVariables } from '#product/templates/sample.ts';
import { requireTemplate } from '#product/templates/store.ts';
import { TemplateError } from '#product/templates/template-error.ts';
import { judgeTexts } from '#product/templates/texts.ts';
import { previewText, type SmsPreview } from '../preview.ts';
import { findPreviewBooking, findVersionOf } from './store.ts';
import { variablesOf } from './version.ts';

export interface FilledWith {
  /** Absent: the present version. */
  readonly version?: number;
  readonly customerId?: string;
  readonly bookingId?: string;
}

export interface TemplatePreview {
  readonly templateId: string;
  readonly version: number;
  readonly purpose: string;
  readonly requiresBooking: boolean;
  /** Null unless it is an e-mail with its own subject. */
  readonly subject: string | null;
  readonly text: string;
  /** The placeholders that were filled with sample values. */
  readonly sample: readonly string[];
  /** Sentences for people: too long, empty, unknown placeholders, links that may break. */
  readonly warnings: readonly string[];
  /** Its length as an SMS; null for an e-mail. */
  readonly sms: Omit<SmsPreview, 'text' | 'warnings'> | null;
}

/** Throws OperatorError when the template, version, customer or booking does not exist, and InvalidInput when the template can't be rendered. */
export async function previewTemplate(
  db: Queryable,
  templateId: string,
  { version: wanted, ...named }: FilledWith = {},
): Promise<TemplatePreview> {
  const { id, workshopId, purpose, version: present } = await requireTemplate(db, templateId);
  const version = wanted ?? present;
  const found = await findVersionOf(db, { workshopId, templateId: id, version });
  if (found === null) {
    throw notOf({ what: 'template', id }, 'version', String(version));
  }
  const channel = purpose.endsWith('.email') ? 'email' : 'sms';
  const own = await namedVariables(db, { workshopId, workshop: found.workshop, channel }, named);
  const variables = { ...sampleVariables, ...own };
  const filled = (template: string) => normaliseString(render(template, variables));
  const text = filled(found.body);
  const { warnings: faults } = judgeTexts({ body: found.body }, purpose);
  const { sms, warnings } = measured(text, channel);
  return {
    templateId: id,
    version,
    purpose,
    requiresBooking: found.requiresBooking,
    subject: found.subject === null ? null : filled(found.subject),
    text,
    sample: found.placeholders.filter((path) => !Object.hasOwn(own, path.split('.')[0] ?? '')),
    warnings: [...new Set([...(text === '' ? ['it renders an empty text'] : []), ...faults, ...warnings])],
    sms,
  };
}

function measured(text: string, channel: Channel): Pick<TemplatePreview, 'sms' | 'warnings'> {
  if (channel === 'email') return { sms: null, warnings: [] };
  const { text: _, warnings, ...sms } = previewText(text);
  return { sms, warnings };
}

function render(template: string, variables: TemplateVariables): string {
  try {
    return renderTemplate(template, variables);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new InvalidInput([{ field: 'template', message: `can't be rendered: ${error.message}` }]);
  }
}

async function namedVariables(
  db: Queryable,
  { workshopId, workshop, channel }: { workshopId: string; workshop: TemplateWorkshop; channel: Channel },
  { customerId, bookingId }: FilledWith,
): Promise<TemplateVariables> {
  if (bookingId !== undefined) {
    const booking = isId(bookingId) ? await findPreviewBooking(db, workshopId, bookingId) : null;
    if (!booking) throw notOf({ what: 'workshop', id: workshopId }, 'booking', bookingId);
    if (customerId !== undefined && customerId !== booking.customerId) {
      throw new OperatorError(`booking ${bookingId} is not one of customer ${customerId}`);
    }
    return bookingVariables(booking, workshop, channel);
  }
  if (customerId === undefined) return { workshop: workshopVariables(workshop) };
  const customer = await requireCustomer(db, customerId);
  if (customer.workshopId !== workshopId) {
    throw new OperatorError(`customer ${customerId} is not one of the template's workshop`);
  }
  return variablesOf({ customer, booking: null }, workshop, channel);
}
