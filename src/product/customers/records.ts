/** Shared by records about a customer: what an erasure leaves, how missing details are shown, and a car in words. */
import { notGiven } from '#base/values/not-given.ts';
import type { ErasedPerson } from '#platform/records/record.ts';

/** The rows of the customer. */
export const ofCustomer = ({ customerId }: ErasedPerson) => `customer_id = ${customerId}`;

/** The name of an erased person. */
const erasedName = 'Erased';

/** The columns `contact_…` after an erasure. */
export const contactErased = {
  contact_name: `'${erasedName}'`,
  contact_first_name: 'NULL',
  contact_last_name: 'NULL',
  contact_email: `''`,
  contact_phone: `''`,
  contact_company: 'NULL',
} as const;

/** A personal detail for display: `not given` when it is missing, null when it was erased. */
export function orNotGiven(detail: string | null, { name }: { readonly name: string | null }): string | null {
  return detail ?? (name === erasedName ? null : notGiven);
}

interface Car {
  /** Null: not given. */
  readonly rego: string | null;
  readonly year: number | null;
  readonly make: string | null;
  readonly model: string | null;
}

/** `ABC123 2019 Toyota Corolla`; `not given Toyota Corolla`. `shown`: how each of its texts is shown. */
export const carInWords = (
  { rego, year, make, model }: Car,
  shown: (text: string) => string = (text) => text,
): string =>
  [rego ?? notGiven, year, make, model]
    .flatMap((part) => (part === null ? [] : [typeof part === 'string' ? shown(part) : part]))
    .join(' ');
