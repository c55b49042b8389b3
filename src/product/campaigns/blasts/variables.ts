/** The template variables of a blast's text: the customer as the workshop sees them. */
import { personVariables, type TemplateWorkshop } from '#product/bookings/template-variables.ts';
import type { TemplateVariables } from '#product/templates/fields.ts';
import type { RecipientDetails } from './recipients/store.ts';

/** A customer without a known name has the phone as name, which must not be used as a form of address. */
export function variablesOf(
  customer: RecipientDetails['customer'],
  workshop: Omit<TemplateWorkshop, 'timezone'>,
): TemplateVariables {
  return personVariables(
    { ...customer, name: customer.name === customer.phone ? '' : customer.name },
    workshop,
    'sms',
  );
}
