/** The text of a message that names a template (specification: Messages 3). */

import { normaliseString } from '#base/values/text.ts';
import { invalidFields, type Problem } from '#errors.ts';
import { bookingVariables, personVariables } from '#product/bookings/template-variables.ts';
import { renderTemplate } from '#product/templates/render.ts';
import { TemplateError } from '#product/templates/template-error.ts';
import type { TemplateContext } from './store.ts';

function invalidTemplate(message: string): Problem {
  return invalidFields([{ field: 'channels.sms.templateId', message }]);
}

/**
 * For a customer who does not exist yet, `phone` serves as the name, as it will in the customer's row. Throws 400 000001 when the
 * template is unknown, needs a booking that was not named, or renders an empty text.
 */
export function renderMessage(
  context: Pick<TemplateContext, 'templateBody' | 'requiresBooking' | 'booking' | 'customer' | 'workshop'>,
  phone: string | null,
): string {
  if (context.templateBody === null) {
    throw invalidTemplate(
      'is not a published inbox template of this workshop; see GET /workshops/{id}/templates',
    );
  }
  if (context.requiresBooking === true && context.booking === null) {
    throw invalidFields([{ field: 'bookingId', message: 'is required: this template needs a booking' }]);
  }
  const variables =
    context.booking === null
      ? personVariables(context.customer ?? { name: phone, phone }, context.workshop, 'sms')
      : bookingVariables(context.booking, context.workshop, 'sms');
  try {
    const text = normaliseString(renderTemplate(context.templateBody, variables));
    if (text === '') throw invalidTemplate('renders an empty text');
    return text;
  } catch (error) {
    if (error instanceof TemplateError) throw invalidTemplate(`can't be rendered: ${error.message}`);
    throw error;
  }
}
