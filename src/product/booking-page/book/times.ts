/** The free times for the services of a visit. */

import { dateAt } from '#base/values/local-day.ts';
import type { Context } from '#platform/context.ts';
import { type Bookable, daysOfMonthAtMost, isFreeOn, readMonth } from '#platform/pages/month.ts';
import { readAvailability } from '#product/availability/read.ts';
import type { AvailabilityDay } from '#product/availability/schema.ts';
import type { Visit, Wanted } from './visit.ts';

type Needed = Pick<Context, 'db' | 'clock'>;

async function read(
  context: Needed,
  { shop, partnerId }: Visit,
  wanted: Wanted,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<AvailabilityDay[]> {
  const { workshopId } = shop;
  const wish =
    'category' in wanted
      ? { serviceCategory: wanted.category }
      : {
          services: wanted.services.map(({ _id: id, category, durationMinutes }) => ({
            ...{ id, category, durationMinutes: durationMinutes ?? 0 },
          })),
        };
  const asked = { partnerId, workshopId, from, to, daysAtMost: daysOfMonthAtMost };
  return (await readAvailability(context, { ...asked, ...wish })).days;
}

/** The month shown. */
export function monthOf(
  context: Needed,
  visit: Visit,
  wanted: Wanted,
  bookable: Bookable,
): Promise<readonly AvailabilityDay[]> {
  return readMonth(visit.from ?? visit.day, bookable, (from, to) =>
    read(context, visit, wanted, { from, to }),
  );
}

/** The day of a time, if it can be booked; else null. */
export async function dayOfFreeTime(
  context: Needed,
  visit: Visit,
  wanted: Wanted,
  time: Date,
): Promise<AvailabilityDay | null> {
  const date = dateAt(time.getTime(), visit.shop.timezone);
  const [day] = await read(context, visit, wanted, { from: date, to: date });
  return day !== undefined && isFreeOn(day, time) ? day : null;
}
