/**
 * Counts a visitor's change against the page's bounds, in the commit of the change, together with the SMS that it sends the
 * workshop.
 */
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { RecordedChange } from '#platform/events/page-withholds.ts';
import { boundChange, type Visited } from '#platform/pages/bounds/bound.ts';
import { countNotifyPhones } from '#product/workshops/store.ts';
import type { PageWorkshop } from './store.ts';

/** The keys of the counts: the workshop, the visitor's address and the customer. */
export type Counted = Omit<Visited, 'workshopSms'>;

/**
 * `customer`: who gets the notices; null: only the workshop does. `isNew`: the change makes a booking for a phone number that the
 * visitor typed.
 */
export const countedAt = (
  { workshopId, country }: Pick<PageWorkshop, 'workshopId' | 'country'>,
  address: string,
  customer: Counted['customer'],
  isNew = false,
): Counted => ({ workshopId, country, address, customer, isNew });

/** Throws 429, which rolls the change back. */
export async function boundVisit(
  tx: Queryable,
  context: Pick<Context, 'config' | 'log'>,
  counted: Counted,
  changed: readonly RecordedChange[],
): Promise<void> {
  const workshopSms = await countNotifyPhones(tx, counted.workshopId);
  await boundChange(tx, context, { ...counted, workshopSms }, changed);
}
