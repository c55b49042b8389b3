/** The customers that a blast leaves out because their number is of another country (specification: Blasts 5). */
import { setImmediate } from 'node:timers/promises';
import { isAbroad } from '#base/values/phone.ts';
import type { Queryable } from '#platform/db/database.ts';
import { type CustomersNumber, findAllowedAbroad } from '#product/messaging/staff/store.ts';

export interface BlastsNumbers {
  readonly workshopId: string;
  /** The workshop's, ISO 3166. */
  readonly country: string;
  /** The blast goes to numbers of other countries too: nobody is left out. */
  readonly otherCountries: boolean;
}

/** Reading a number takes 20 µs: this many take 5 ms. */
const readAtOnce = 250;

/** The ids of the customers, of those given, who are left out: the rule is that of texts of staff (`requireGround`). */
export async function leftOutAbroad(
  db: Queryable,
  { workshopId, country, otherCountries }: BlastsNumbers,
  numbers: readonly CustomersNumber[],
): Promise<ReadonlySet<string>> {
  if (otherCountries) return new Set();
  const foreign: CustomersNumber[] = [];
  for (let at = 0; at < numbers.length; at += readAtOnce) {
    if (at > 0) await setImmediate();
    foreign.push(...numbers.slice(at, at + readAtOnce).filter(({ phone }) => isAbroad(phone, country)));
  }
  if (foreign.length === 0) return new Set();
  const allowed = await findAllowedAbroad(db, workshopId, foreign);
  return new Set(foreign.map(({ customerId }) => customerId).filter((id) => !allowed.has(id)));
}
