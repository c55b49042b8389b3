/** Finds known customers by what a caller says: a phone or a rego, to fill in a booking. */
import { parsePhone } from '#base/values/phone.ts';
import { normaliseRego } from '#base/values/rego.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { Workshop } from '#product/workshops/store.ts';
import { findKnownByPhone, findKnownByRego, type KnownCustomer } from './store.ts';

/** As typed, in any notation; empty or absent: unknown. */
export interface Said {
  readonly rego?: string;
  readonly phone?: string;
}

/**
 * The workshop's customers by phone, which takes precedence, or by rego: at most ten, when several customers have had the car, from
 * whom staff choose (`customerId` of the booking). Empty: no match, or an invalid phone.
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
