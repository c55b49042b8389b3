/** Finds customers for an operator. */
import type { Queryable } from '#db/database.ts';
import { InvalidInput } from '#operator-error.ts';
import { parsePhone } from '#values/phone.ts';
import { requireWorkshop } from '#workshops/require.ts';
import { type CustomerRecord, listCustomers } from './store.ts';

export interface CustomerSearch {
  readonly workshop?: string;
  /** In any form of the workshop's country; in the international form when no workshop is named. */
  readonly phone?: string;
}

/**
 * What reads pages of the customers: `limit` of those after the id `cursor`, oldest first. Throws InvalidInput, which names every bad
 * field, and OperatorError when there is no such workshop.
 */
export async function findCustomers(
  db: Queryable,
  search: CustomerSearch,
): Promise<(rows: { readonly cursor: string | null; readonly limit: number }) => Promise<CustomerRecord[]>> {
  const workshop = search.workshop === undefined ? null : await requireWorkshop(db, search.workshop);
  // A number in the international form names its country.
  const phone = search.phone === undefined ? null : parsePhone(search.phone, workshop?.country ?? 'AU');
  const isLocal = workshop === null && !search.phone?.trimStart().startsWith('+');
  if (search.phone !== undefined && (phone === null || isLocal)) {
    const wanted = workshop
      ? `in ${workshop.country}`
      : 'in the international form (+61…); or name the workshop';
    throw new InvalidInput([{ field: 'phone', message: `is not a phone number ${wanted}` }]);
  }
  const filter = { workshopId: workshop?.workshopId ?? null, phone };
  return ({ cursor: after, limit }) => listCustomers(db, { ...filter, after, limit });
}
