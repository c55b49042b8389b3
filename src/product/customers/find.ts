/** Finds customers for an operator. */

import { type FieldFault, InvalidInput } from '#base/operator-error.ts';
import { parsePhone } from '#base/values/phone.ts';
import { partOfPhone } from '#base/values/phone-part.ts';
import { normaliseRego } from '#base/values/rego.ts';
import type { Queryable } from '#platform/db/database.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { type CustomerRecord, listCustomers } from './store.ts';

/** As typed. */
export interface CustomerSearch {
  readonly workshop?: string;
  /** A partial match, ignoring case. */
  readonly name?: string;
  /**
   * In any notation of the workshop's country, or some of its digits; without a workshop, the whole number in the international
   * form.
   */
  readonly phone?: string;
  /** A partial match with the registration of one of their cars. */
  readonly rego?: string;
}

/**
 * Returns a function that reads pages of customers: up to `limit` after the id `cursor`, oldest first. Partial matches need a
 * workshop, whose customers are scanned. Throws InvalidInput, which names every bad field, and OperatorError when there is no such
 * workshop.
 */
export async function findCustomers(
  db: Queryable,
  { workshop: named, name, phone: typedPhone, rego }: CustomerSearch,
): Promise<(rows: { readonly cursor: string | null; readonly limit: number }) => Promise<CustomerRecord[]>> {
  const workshop = named === undefined ? null : await requireWorkshop(db, named);
  const errors: FieldFault[] = [];
  const phone = typedPhone === undefined ? null : soughtPhone(typedPhone, workshop?.country ?? null);
  if (typedPhone !== undefined && phone === null) {
    const wanted = workshop
      ? `in ${workshop.country}, nor 3 or more digits of one`
      : 'in the international form (+61…); or name the workshop';
    errors.push({ field: 'phone', message: `is not a phone number ${wanted}` });
  }
  for (const [field, part] of Object.entries({ name, rego })) {
    if (part !== undefined && workshop === null)
      errors.push({ field, message: 'is looked for in one workshop: name it', code: 'needsWorkshop' });
  }
  if (errors.length > 0) throw new InvalidInput(errors);
  const filter = {
    workshopId: workshop?.workshopId ?? null,
    phone: phone?.isWhole ? phone.digits : null,
    phonePart: phone?.isWhole === false ? phone.digits : null,
    namePart: name ?? null,
    regoPart: rego === undefined ? null : normaliseRego(rego),
  };
  return ({ cursor: after, limit }) => listCustomers(db, { ...filter, after, limit });
}

function soughtPhone(text: string, country: string | null) {
  if (country !== null) return partOfPhone(text, country);
  // A number in the international form contains its country.
  const whole = text.trimStart().startsWith('+') ? parsePhone(text, 'AU') : null;
  return whole === null ? null : { digits: whole, isWhole: true };
}
