/** Whom a workshop knows by what a caller says: a phone or a rego fills in the rest of a booking. */
import { parsePhone } from '#base/values/phone.ts';
import { normaliseRego } from '#base/values/rego.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { Workshop } from '#product/workshops/store.ts';
import { findKnownByPhone, findKnownByRego, type KnownCustomer } from './store.ts';

/** As typed, in any form; empty or absent: not known. */
export interface Said {
  readonly rego?: string;
  readonly phone?: string;
}

/**
 * The workshop's customers by a phone, which decides, or by a rego: several, ten at most, where more than one has had the car, and then staff
 * choose (`customerId` of their booking). Empty: nobody is known by it, or it is no phone.
 */
export async function lookUpKnown(
  db: Queryable,
  { workshopId, country }: Pick<Workshop, 'workshopId' | 'country'>,
  said: Said,
): Promise<readonly KnownCustomer[]> {
  const phone = said.phone ? parsePhone(said.phone, country) : null;
  const byPhone = phone === null ? [] : await findKnownByPhone(db, workshopId, phone);
  const rego = normaliseRego(said.rego ?? '');
  if (byPhone.length > 0 || rego === '') return byPhone;
  return findKnownByRego(db, workshopId, rego);
}
