/** A booking as a calendar entry (RFC 5545), for invitations and for the calendar of a workshop. */
import { type ICalEventData, ICalEventStatus } from 'ical-generator';
import { oneLine } from '#base/values/one-line.ts';
import { shorten } from '#base/values/shorten.ts';
import type { AnyBooking, BookingStatus } from '#product/bookings/schema.ts';

/** The length of an entry whose duration is unknown. */
const usualMinutes = 60;
/** The most characters for services in the title of an entry. */
const servicesAtMost = 100;

/** A booking that the workshop has not confirmed may still change. */
const statuses: Readonly<Record<BookingStatus, ICalEventStatus>> = {
  pending: ICalEventStatus.TENTATIVE,
  confirmed: ICalEventStatus.CONFIRMED,
  completed: ICalEventStatus.CONFIRMED,
  cancelled: ICalEventStatus.CANCELLED,
};

/**
 * Later versions replace earlier ones in a calendar, by UID and SEQUENCE. Times are in UTC: every calendar shows them in its own
 * zone. `minutes` is the duration of all services together; 0: unknown.
 */
export function calendarEntry(
  { id, date, status }: Pick<AnyBooking, 'id' | 'date' | 'status'>,
  version: number,
  minutes: number,
): Pick<ICalEventData, 'id' | 'sequence' | 'start' | 'end' | 'status'> {
  const start = new Date(date);
  return {
    id: `booking-${id}@pitlane`,
    sequence: version,
    start,
    end: new Date(start.getTime() + (minutes || usualMinutes) * 60_000),
    status: statuses[status],
  };
}

/**
 * `1AB2CD at Carlton Motors: Logbook service, Wheel alignment`; without services only the first part. Of a cancelled booking it says
 * so, since calcurse, khal and other calendars look neither at METHOD nor at STATUS (specification: Notices 8).
 */
export function summaryOf(what: string, services: string, status: BookingStatus): string {
  const whole = status === 'cancelled' ? `${what} (cancelled)` : what;
  return oneLine([whole, shorten(services, servicesAtMost)].filter(Boolean).join(': '));
}

/**
 * The location, for calendars and their maps: `Carlton Motors, 12 Lygon St, Carlton VIC 3053`. Without an address only the name.
 */
export function placeOf({
  name,
  address,
}: {
  readonly name: string;
  readonly address: string | null;
}): string {
  return [name, address ?? ''].map(oneLine).filter(Boolean).join(', ');
}
