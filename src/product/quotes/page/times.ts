/** The free times for the services of a quote. */

import { dateAt } from '#base/values/local-day.ts';
import type { Context } from '#platform/context.ts';
import { type Bookable, daysOfMonthAtMost, isFreeOn, readMonth } from '#platform/pages/month.ts';
import { readAvailability } from '#product/availability/read.ts';
import type { AvailabilityDay } from '#product/availability/schema.ts';
import type { PageQuote } from './store.ts';

type Needed = Pick<Context, 'db' | 'clock'>;

/** The days from one date to another in the workshop's zone, both included, with the free times for the quote's services. */
export async function freeDays(
  context: Needed,
  { quote, serviceMinutes, partnerId }: Pick<PageQuote, 'quote' | 'serviceMinutes' | 'partnerId'>,
  from: string,
  to: string,
): Promise<AvailabilityDay[]> {
  const services = quote.services.map(({ catalogId, category }, n) => ({
    id: catalogId,
    category: category ?? 'others',
    durationMinutes: serviceMinutes[n] ?? 0,
  }));
  const asked = { partnerId, workshopId: quote.workshopId, services, from, to };
  return (await readAvailability(context, { ...asked, daysAtMost: daysOfMonthAtMost })).days;
}

/** The month of that date; without one, the month of the first day from today with a free time. */
export function monthOf(
  context: Needed,
  opened: PageQuote,
  date: string | undefined,
  bookable: Bookable,
): Promise<readonly AvailabilityDay[]> {
  return readMonth(date, bookable, (from, to) => freeDays(context, opened, from, to));
}

export async function isFree(context: Needed, opened: PageQuote, time: Date): Promise<boolean> {
  const date = dateAt(time.getTime(), opened.shop.timezone);
  const [day] = await freeDays(context, opened, date, date);
  return isFreeOn(day, time);
}
