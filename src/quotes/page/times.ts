/** The free times for the services of a quote. */
import { readAvailability } from '#availability/read.ts';
import type { AvailabilityDay } from '#availability/schema.ts';
import type { Context } from '#context.ts';
import { type Bookable, daysOfMonthAtMost, isFreeOn, readMonth } from '#pages/month.ts';
import { dateAt } from '#values/local-day.ts';
import type { PageQuote } from './store.ts';

type Needed = Pick<Context, 'db' | 'clock'>;

async function read(
  context: Needed,
  { quote, serviceMinutes, partnerId, shop }: PageQuote,
  from: string,
  to: string,
): Promise<AvailabilityDay[]> {
  const services = quote.services.map(({ catalogId, category }, n) => ({
    id: catalogId,
    category: category ?? 'others',
    durationMinutes: serviceMinutes[n] ?? 0,
  }));
  const asked = { partnerId, workshopId: shop.workshopId, services, from, to };
  return (await readAvailability(context, { ...asked, daysAtMost: daysOfMonthAtMost })).days;
}

/** The month of that date; without one the first from today with a free time. */
export function monthOf(
  context: Needed,
  opened: PageQuote,
  date: string | undefined,
  bookable: Bookable,
): Promise<readonly AvailabilityDay[]> {
  return readMonth(date, bookable, (from, to) => read(context, opened, from, to));
}

export async function isFree(context: Needed, opened: PageQuote, time: Date): Promise<boolean> {
  const date = dateAt(time.getTime(), opened.shop.timezone);
  const [day] = await read(context, opened, date, date);
  return isFreeOn(day, time);
}
