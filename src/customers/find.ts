/** Finds customers for an operator. */
import type { Queryable } from '#db/database.ts';
import type { FieldError } from '#errors.ts';
import { InvalidInput } from '#operator-error.ts';
import { isId } from '#values/id.ts';
import { parsePhone } from '#values/phone.ts';
import { requireWorkshop } from '#workshops/require.ts';
import { type CustomerRecord, listCustomers } from './store.ts';

export interface CustomerSearch {
  readonly workshop?: string;
  /** In any form of the workshop's country; in the international form when no workshop is named. */
  readonly phone?: string;
  readonly limit?: string;
  /** The id of the last customer of the page before. */
  readonly after?: string;
}

const limitAtMost = 1_000;

/**
 * One page by id, oldest first, and the `after` of the next one. Throws InvalidInput, which names every bad field, and
 * OperatorError when there is no such workshop.
 */
export async function findCustomers(
  db: Queryable,
  search: CustomerSearch,
): Promise<{ customers: CustomerRecord[]; nextAfter: string | null }> {
  const workshop = search.workshop === undefined ? null : await requireWorkshop(db, search.workshop);
  const errors: FieldError[] = [];

  const limit = Number(search.limit ?? 50);
  if (!/^\d*$/.test(search.limit ?? '') || limit < 1 || limit > limitAtMost) {
    errors.push({ field: 'limit', message: `must be a whole number from 1 to ${limitAtMost}` });
  }
  // A number in the international form names its country.
  const phone = search.phone === undefined ? null : parsePhone(search.phone, workshop?.country ?? 'AU');
  const isLocal = workshop === null && !search.phone?.trimStart().startsWith('+');
  if (search.phone !== undefined && (phone === null || isLocal)) {
    const wanted = workshop
      ? `in ${workshop.country}`
      : 'in the international form (+61…); or name the workshop';
    errors.push({ field: 'phone', message: `is not a phone number ${wanted}` });
  }
  if (search.after !== undefined && !isId(search.after))
    errors.push({ field: 'after', message: 'is not an id' });
  if (errors.length > 0) throw new InvalidInput(errors);

  const filter = { workshopId: workshop?.workshopId ?? null, phone, after: search.after ?? null };
  const rows = await listCustomers(db, { ...filter, limit: limit + 1 });
  const customers = rows.slice(0, limit);
  return { customers, nextAfter: rows.length > limit ? (customers.at(-1)?.customerId ?? null) : null };
}
