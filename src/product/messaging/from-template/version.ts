/**
 * Renders one version of a template for customers of its workshop, with all values that the workshop sees. Campaigns send these
 * texts.
 */

import { normaliseString } from '#base/values/text.ts';
import type { Queryable } from '#platform/db/database.ts';
import {
  bookingVariables,
  personVariables,
  type TemplateWorkshop,
} from '#product/bookings/template-variables.ts';
import type { Channel } from '#product/sending/kinds.ts';
import type { TemplateVariables } from '#product/templates/fields.ts';
import { renderTemplate } from '#product/templates/render.ts';
import { TemplateError } from '#product/templates/template-error.ts';
import { findVersionOf, type Known, type Recipient, readRecipients } from './store.ts';

export interface VersionOf {
  readonly workshopId: string;
  readonly templateId: string;
  readonly version: number;
}

/** Why no text was rendered. */
export type NotRendered = 'unknownCustomer' | 'needsBooking' | 'empty' | 'invalid';

export interface Rendered extends Recipient {
  /** The text as it would be sent, of any length; null with a reason. */
  readonly text: string | null;
  readonly reason: NotRendered | null;
}

/** The variables of a customer, or of one of their bookings. */
export function variablesOf(
  { customer, booking }: Known,
  workshop: TemplateWorkshop,
  channel: Channel,
): TemplateVariables {
  return booking === null
    ? personVariables(customer, workshop, channel)
    : bookingVariables(booking, workshop, channel);
}

/** One result for each recipient, in the same order, in two statements. Null when the workshop's template has no such version. */
export async function renderVersion(
  db: Queryable,
  of: VersionOf,
  recipients: readonly Recipient[],
): Promise<Rendered[] | null> {
  const version = await findVersionOf(db, of);
  if (version === null) return null;
  const known = new Map(
    (await readRecipients(db, of.workshopId, recipients)).map((row) => [Number(row.ordinal), row]),
  );
  return recipients.map(({ customerId, bookingId }, index) => {
    const result = (reason: NotRendered) => ({ customerId, bookingId, text: null, reason });
    const person = known.get(index + 1);
    if (person === undefined) return result('unknownCustomer');
    if (version.requiresBooking && person.booking === null) return result('needsBooking');
    try {
      const text = normaliseString(
        renderTemplate(version.body, variablesOf(person, version.workshop, 'sms')),
      );
      return text === '' ? result('empty') : { customerId, bookingId, text, reason: null };
    } catch (error) {
      if (error instanceof TemplateError) return result('invalid');
      throw error;
    }
  });
}
