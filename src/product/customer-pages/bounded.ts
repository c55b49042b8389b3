/** Counts what a visitor changes on a page, in the commit of the change, with the SMS that the workshop gets of it. */
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { RecordedChange } from '#platform/events/page-withholds.ts';
import { boundChange, type Visited } from '#platform/pages/bounds/bound.ts';
import { countNotifyPhones } from '#product/workshops/store.ts';
import type { PageWorkshop } from './store.ts';

/** What is counted of a visitor: of whose page, from which address, and of which customer. */
export type Counted = Omit<Visited, 'workshopSms'>;

/** `customer`: who gets notices of it; null: nobody but the workshop. `isNew`: it makes a booking for a phone that anyone can name. */
export const countedAt = (
  { workshopId, country }: Pick<PageWorkshop, 'workshopId' | 'country'>,
  address: string,
  customer: Counted['customer'],
  isNew = false,
): Counted => ({ workshopId, country, address, customer, isNew });

/** Throws 429, which undoes the change. */
export async function boundVisit(
  tx: Queryable,
  context: Pick<Context, 'config' | 'log'>,
  counted: Counted,
  changed: readonly RecordedChange[],
): Promise<void> {
  const workshopSms = await countNotifyPhones(tx, counted.workshopId);
  await boundChange(tx, context, { ...counted, workshopSms }, changed);
}
