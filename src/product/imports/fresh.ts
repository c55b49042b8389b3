/**
 * Which rows of a set are imported: those that were not before, and those that have the number now which their customer lacks, since
 * the file had no column of numbers then (specification: Imports 15).
 */
import { lettersOf } from '#base/values/near-name.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { GoodRow, RowSet } from './entries.ts';
import { findImported, findWithoutPhone, type WithoutPhone } from './store.ts';

/** A customer who was imported without a phone, and gets that of a row. */
export interface Claim extends Pick<WithoutPhone, 'customerId' | 'regos'> {
  /** E.164. */
  readonly phone: string;
}

/** The numbers and customers that earlier sets of the file have taken, where they are not written yet. */
export interface Taken {
  /** E.164. */
  readonly phones: Set<string>;
  readonly customers: Set<string>;
}

interface Fresh {
  readonly fresh: readonly GoodRow[];
  readonly leftAlone: number;
  readonly claims: readonly Claim[];
  /** The identities of a fresh row that are to be noted, in hex: those that are not known. */
  unknown(row: GoodRow): string[];
}

export async function freshRows(
  db: Queryable,
  workshopId: string,
  { good, lacksPhones }: RowSet,
  taken: Taken = { phones: new Set(), customers: new Set() },
): Promise<Fresh> {
  // Where the file has no numbers, the person is noted too: the same file may come again with them.
  const identitiesOf = ({ identity, person }: GoodRow) =>
    lacksPhones && person !== null ? [identity, person] : [identity];
  const known = await findImported(db, workshopId, good.flatMap(identitiesOf));
  const sought = good.flatMap(({ person, customer: { phone } }) =>
    person === null || phone === null || taken.phones.has(phone) ? [] : { person, phone },
  );
  const without = await findWithoutPhone(db, workshopId, sought);
  const claims: Claim[] = [];
  const fresh: GoodRow[] = [];
  const phones = new Set<string>();
  for (const row of good) {
    const { phone } = row.customer;
    const of = row.person === null ? undefined : without.get(row.person);
    const isClaim =
      of !== undefined &&
      phone !== null &&
      !phones.has(phone) &&
      !taken.customers.has(of.customerId) &&
      !isAnother(of, row, known.has(row.identity));
    if (!isClaim) {
      if (!known.has(row.identity)) fresh.push(row);
      continue;
    }
    phones.add(phone);
    taken.customers.add(of.customerId);
    claims.push({ phone, customerId: of.customerId, regos: of.regos });
    // A car without a registration always is another one: theirs is there already.
    const isThere = row.car?.rego === null && of.regos.includes(null);
    fresh.push(isThere ? { ...row, car: null } : row);
  }
  for (const phone of phones) taken.phones.add(phone);
  return {
    ...{ fresh, claims, leftAlone: good.length - fresh.length },
    unknown: (row) => identitiesOf(row).filter((identity) => !known.has(identity)),
  };
}

const wordsOf = (name: string): readonly string[] => name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/**
 * Whether what both say of the person differs: the name in each word, an address, or the registration of each car, in which punctuation is
 * no difference. `isKnown`: this very row was imported before, and so its car was.
 */
function isAnother(of: WithoutPhone, { customer, car }: GoodRow, isKnown: boolean): boolean {
  const differs = (['email', 'company', 'address', 'suburb', 'postcode'] as const).some((field) => {
    const [one, other] = [of[field] ?? '', customer[field] ?? ''];
    return one !== '' && other !== '' && one.toLowerCase() !== other.toLowerCase();
  });
  const known = wordsOf(of.name ?? '');
  const said = wordsOf(customer.name ?? '');
  const isNamedOtherwise = known.length > 0 && said.length > 0 && !said.some((word) => known.includes(word));
  const rego = car?.rego ?? null;
  const hasOtherCars =
    !isKnown &&
    rego !== null &&
    of.regos.length > 0 &&
    !of.regos.some((each) => each === null || lettersOf(each) === lettersOf(rego));
  return differs || isNamedOtherwise || hasOtherCars;
}
