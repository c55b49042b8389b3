/** The verdict on a race: everything is counted again from what the API lists, and every refusal is judged. */
import {
  countsOf,
  dateOf,
  laterDate,
  type ReferenceBooking,
  type ReferenceWorkshop,
  referenceDay,
} from '../../test/fixtures/availability-reference.ts';
import { send } from '../../test/harness/http.ts';
import { type History, possibleRivals } from './history.ts';
import type { Race } from './load.ts';
import { placeOf } from './place.ts';
import { racedDates } from './workshop.ts';

/** Each fault in a line; empty: the race is won. */
export async function judge(race: Race, history: History): Promise<string[]> {
  const bookings = await listed(race);
  const days = racedDates(race.now(), race.workshop.timezone);
  // The load spreads a little beyond the days of the workshop's own zone.
  const dates = [laterDate(days[0] ?? '', -1), ...days, laterDate(days.at(-1) ?? '', 1)];
  return [
    ...dates.flatMap((date) => overfull(race.workshop, bookings, date)),
    ...(await differences(race, bookings, dates)),
    ...wrongRefusals(race, history),
  ];
}

interface ListedBooking {
  readonly status: string;
  readonly date: string;
  readonly createdAt: string;
  readonly serviceCategory: string | null;
  readonly services: readonly { readonly catalogId: string | null }[];
}

/** The places of all bookings of the workshop that the partner sees. */
async function listed({ urls, headers, workshopId, workshop }: Race): Promise<ReferenceBooking[]> {
  const places: ReferenceBooking[] = [];
  let cursor: string | null = null;
  do {
    const query: string = `workshopId=${workshopId}&limit=200${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const { status, body } = await send(`${urls[0]}/bookings?${query}`, 'GET', { headers });
    if (status !== 200) throw new Error(`GET /bookings gave ${status} ${JSON.stringify(body)}`);
    for (const booking of body.bookings as readonly ListedBooking[]) {
      if (booking.status === 'cancelled' || Date.parse(booking.date) < Date.parse(booking.createdAt))
        continue;
      const services = booking.services.map(({ catalogId }) => catalogId ?? '');
      places.push(placeOf(workshop, Date.parse(booking.date), services));
    }
    cursor = body.nextCursor;
  } while (cursor !== null);
  return places;
}

function overfull(
  workshop: ReferenceWorkshop,
  bookings: readonly ReferenceBooking[],
  date: string,
): string[] {
  const { slots } = referenceDay(workshop, [], { services: [], category: null }, date, 0);
  const bays = workshop.custom.find((day) => day.date === date)?.bays ?? workshop.bays;
  const faults = slots.flatMap(({ start, end }) => {
    const booked = bookings.filter(({ from, until }) => from < end && until > start).length;
    return booked > bays ? [`${new Date(start).toISOString()}: ${booked} bookings in ${bays} bays`] : [];
  });
  for (const [key, counted] of countsOf(workshop, bookings, date)) {
    const limit =
      workshop.services.find(({ id }) => id === key)?.dailyLimit ?? workshop.categoryLimits[key] ?? null;
    if (limit !== null && counted > limit)
      faults.push(`${date}: ${counted} bookings of ${key}, whose limit is ${limit}`);
  }
  return faults;
}

/** What the API offers now, beside what is left by the count. */
async function differences(
  { urls, headers, workshopId, workshop, now }: Race,
  bookings: readonly ReferenceBooking[],
  dates: readonly string[],
): Promise<string[]> {
  const query = `from=${dates[0]}&to=${dates.at(-1)}`;
  const { status, body } = await send(`${urls[0]}/workshops/${workshopId}/availabilities?${query}`, 'GET', {
    headers,
  });
  if (status !== 200) throw new Error(`availabilities gave ${status} ${JSON.stringify(body)}`);
  return dates.flatMap((date, n) => {
    const { starts } = referenceDay(workshop, bookings, { services: [], category: null }, date, now());
    const counted = starts.flatMap(({ time, remaining }) =>
      remaining ? [`${new Date(time).toISOString()} ${remaining}`] : [],
    );
    const offered: string[] = body.days[n].slots.map(
      (slot: { time: string; remaining: number }) => `${slot.time} ${slot.remaining}`,
    );
    const [lacking, more] = [
      counted.filter((each) => !offered.includes(each)),
      offered.filter((each) => !counted.includes(each)),
    ];
    return [
      ...lacking.map((each) => `not offered: ${each}`),
      ...more.map((each) => `offered, and not there: ${each}`),
    ];
  });
}

/** A refusal is wrong when the wish fits beside all bookings that may have been there at any time of the request. */
function wrongRefusals({ workshop, now }: Race, history: History): string[] {
  return history.refused.flatMap((refused) => {
    const date = dateOf(refused.instant, workshop.timezone);
    const { starts, slots } = referenceDay(
      workshop,
      possibleRivals(history, refused),
      refused.wish,
      date,
      now(),
    );
    const slot = slots.findLast(({ start, end }) => start <= refused.instant && refused.instant < end);
    const start = starts.find(({ time }) => time === slot?.start);
    if (start?.remaining === undefined) return [];
    return [
      `${new Date(refused.instant).toISOString()} was refused (${refused.reason}), and there was a place`,
    ];
  });
}
