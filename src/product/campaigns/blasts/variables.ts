/** The template variables of a blast's text: the customer as the workshop knows them. */
import { personVariables, type TemplateWorkshop } from '#product/bookings/template-variables.ts';
import type { TemplateVariables } from '#product/templates/fields.ts';
import type { RecipientDetails } from './recipients/store.ts';

/** A customer whose name is not known yet has their phone as name, which is no way to address them. */
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
