/** The free times for the services of a quote. */
import { readAvailability } from '#availability/read.ts';
import type { AvailabilityAnswer } from '#availability/schema.ts';
import type { Context } from '#context.ts';
import { isFreeOn, readWeek } from '#pages/time-picker.ts';
import { dateAt } from '#values/local-day.ts';
import type { PageQuote } from './store.ts';

type Needed = Pick<Context, 'db' | 'clock'>;

function read(
  context: Needed,
  { quote, serviceMinutes, partnerId, shop }: PageQuote,
  from: string,
  to?: string,
) {
  const services = quote.services.map(({ catalogId, category }, n) => ({
    id: catalogId,
    category: category ?? 'others',
    durationMinutes: serviceMinutes[n] ?? 0,
  }));
  return readAvailability(context, {
    ...{ partnerId, workshopId: shop.workshopId, services, from },
    ...(to !== undefined && { to }),
  });
}

/** The week from that date on; without one the first from today with a free time, at most four weeks ahead. */
export function weekOf(context: Needed, opened: PageQuote, from: string | null): Promise<AvailabilityAnswer> {
  const today = dateAt(context.clock.now().getTime(), opened.shop.timezone);
  return readWeek(from ?? undefined, today, (first) => read(context, opened, first));
}

export async function isFree(context: Needed, opened: PageQuote, time: Date): Promise<boolean> {
  const date = dateAt(time.getTime(), opened.shop.timezone);
  const { days } = await read(context, opened, date, date);
  return isFreeOn(days[0], time);
}
