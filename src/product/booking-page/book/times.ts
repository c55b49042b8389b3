/** The free times for the services of a visit. */

import type { Context } from '#platform/context.ts';
import { daysOfMonthAtMost } from '#platform/pages/month.ts';
import { readAvailability } from '#product/availability/read.ts';
import type { ReadDays } from '#product/customer-pages/free-times.ts';
import type { Visit, Wanted } from './visit.ts';

export function daysOf(
  context: Pick<Context, 'db' | 'clock'>,
  { shop, partnerId }: Visit,
  wanted: Wanted,
): ReadDays {
  const { workshopId } = shop;
  const wish =
    'category' in wanted
      ? { serviceCategory: wanted.category }
      : {
          services: wanted.services.map(({ _id: id, category, durationMinutes }) => ({
            ...{ id, category, durationMinutes: durationMinutes ?? 0 },
          })),
        };
  const asked = { partnerId, workshopId, daysAtMost: daysOfMonthAtMost, ...wish };
  return async (from, to) => (await readAvailability(context, { ...asked, from, to })).days;
}
