/** The free times for the services of a quote. */

import type { Context } from '#platform/context.ts';
import { daysOfMonthAtMost } from '#platform/pages/month.ts';
import { readAvailability } from '#product/availability/read.ts';
import type { ReadDays } from '#product/customer-pages/free-times.ts';
import type { PageQuote } from './store.ts';

type Asked = Pick<PageQuote, 'quote' | 'serviceMinutes' | 'partnerId'>;

export function quoteDays(
  context: Pick<Context, 'db' | 'clock'>,
  { quote, serviceMinutes, partnerId }: Asked,
): ReadDays {
  const { workshopId } = quote;
  const services = quote.services.map(({ catalogId, category }, n) => ({
    id: catalogId,
    category: category ?? 'others',
    durationMinutes: serviceMinutes[n] ?? 0,
  }));
  const asked = { partnerId, workshopId, services, daysAtMost: daysOfMonthAtMost };
  return async (from, to) => (await readAvailability(context, { ...asked, from, to })).days;
}
