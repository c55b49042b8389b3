/** The fault of a form field without a valid phone number. */
import { examplePhone } from '#base/values/phone.ts';
import type { PageWorkshop } from '#product/customer-pages/store.ts';

/** `Enter a phone number, such as 0412 345 678`. */
export function phoneWanted({ country }: Pick<PageWorkshop, 'country'>): string {
  const example = examplePhone(country);
  return `Enter a phone number${example === null ? '' : `, such as ${example}`}`;
}
