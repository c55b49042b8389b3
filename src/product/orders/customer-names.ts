import { splitName } from '#base/values/person-name.ts';

/** A customer's name as parameters; null: not given. */
export function customerNames<Name extends string | null>(customerName: Name) {
  const { firstName, lastName } = splitName(customerName ?? '');
  return { customerName, customerFirstName: firstName, customerLastName: lastName };
}
