/** What records that are about a customer share: what an erasure leaves of the person, and a car in words. */
import type { ErasedPerson } from '#platform/records/record.ts';

/** The rows of the customer. */
export const ofCustomer = ({ customerId }: ErasedPerson) => `customer_id = ${customerId}`;

/** Of the columns `contact_…`, after an erasure. */
export const contactErased = {
  contact_name: `'Erased'`,
  contact_first_name: 'NULL',
  contact_last_name: 'NULL',
  contact_email: `''`,
  contact_phone: `''`,
  contact_company: 'NULL',
} as const;

interface Car {
  readonly rego: string;
  readonly year: number | null;
  readonly make: string | null;
  readonly model: string | null;
}

/** `ABC123 2019 Toyota Corolla` */
export const carInWords = ({ rego, year, make, model }: Car): string =>
  [rego, year, make, model].filter((part) => part !== null).join(' ');
