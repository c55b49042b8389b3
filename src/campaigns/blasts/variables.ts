/** The template variables of a blast's text: the customer as the workshop knows them. */
import { type TemplateWorkshop, workshopVariables } from '#bookings/template-variables.ts';
import type { TemplateVariables } from '#templates/fields.ts';
import { oneLine } from '#values/one-line.ts';
import type { RecipientDetails } from './recipients/store.ts';

/** A customer whose name is not known yet has their phone as name, which is no way to address them. */
export function variablesOf(
  customer: RecipientDetails['customer'],
  workshop: Omit<TemplateWorkshop, 'timezone'>,
): TemplateVariables {
  const line = (value: string | null) => oneLine(value ?? '');
  return {
    customer: {
      name: customer.name === customer.phone ? '' : line(customer.name),
      firstName: line(customer.firstName),
      lastName: line(customer.lastName),
      email: line(customer.email),
      phone: line(customer.phone),
      company: line(customer.company),
    },
    workshop: workshopVariables({ ...workshop, timezone: '' }),
  };
}
