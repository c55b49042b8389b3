import { splitName } from '#base/values/person-name.ts';

/** A customer's name as parameters. */
export function customerNames(customerName: string) {
  const { firstName, lastName } = splitName(customerName);
  return { customerName, customerFirstName: firstName, customerLastName: lastName };
}
