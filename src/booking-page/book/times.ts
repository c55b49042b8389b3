/** The free times of a visit's wish. */
import { readAvailability } from '#availability/read.ts';
import type { AvailabilityAnswer, AvailabilityDay } from '#availability/schema.ts';
import type { Context } from '#context.ts';
import { isFreeOn, readWeek } from '#pages/time-picker.ts';
import { dateAt } from '#values/local-day.ts';
import type { Visit, Wanted } from './visit.ts';

type Needed = Pick<Context, 'db' | 'clock'>;

function read(context: Needed, { shop, link }: Visit, wanted: Wanted, from: string, to?: string) {
  return readAvailability(context, {
    partnerId: link.partnerId,
    workshopId: shop.workshopId,
    from,
    ...(to !== undefined && { to }),
    ...('service' in wanted ? { catalogId: wanted.service._id } : { serviceCategory: wanted.category }),
  });
}

export function weekOf(context: Needed, visit: Visit, wanted: Wanted): Promise<AvailabilityAnswer> {
  const today = dateAt(context.clock.now().getTime(), visit.shop.timezone);
  return readWeek(visit.from, today, (from) => read(context, visit, wanted, from));
}

/** The day of a time, when it can be booked; null when it can not. */
export async function dayOfFreeTime(
  context: Needed,
  visit: Visit,
  wanted: Wanted,
  time: Date,
): Promise<AvailabilityDay | null> {
  const date = dateAt(time.getTime(), visit.shop.timezone);
  const { days } = await read(context, visit, wanted, date, date);
  const [day] = days;
  return day !== undefined && isFreeOn(day, time) ? day : null;
}
