/** A booking as a calendar entry (RFC 5545), for invitations and for the calendar of a workshop. */
import { type ICalEventData, ICalEventStatus } from 'ical-generator';
import { oneLine } from '#base/values/one-line.ts';
import { shorten } from '#base/values/shorten.ts';
import type { AnyBooking, BookingStatus } from '#product/bookings/schema.ts';

/** Of work whose duration is not known; calendars need a length. */
const usualMinutes = 60;
/** Characters that the title of an entry has for them. */
const servicesAtMost = 100;

/** A booking that the workshop has not confirmed may still change. */
const statuses: Readonly<Record<BookingStatus, ICalEventStatus>> = {
  pending: ICalEventStatus.TENTATIVE,
  confirmed: ICalEventStatus.CONFIRMED,
  completed: ICalEventStatus.CONFIRMED,
  cancelled: ICalEventStatus.CANCELLED,
};

/**
 * Later versions replace earlier ones in a calendar, by UID and SEQUENCE. Times are in UTC: every calendar shows them in its own zone.
 * `minutes` is how long its services take together; 0: not known.
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

/** `1AB2CD at Carlton Motors: Logbook service, Wheel alignment`; without services the first part alone. */
export function summaryOf(what: string, services: string): string {
  return oneLine([what, shorten(services, servicesAtMost)].filter(Boolean).join(': '));
}

/** Where it is, for calendars and their maps: `Carlton Motors, 12 Lygon St, Carlton VIC 3053`. Without an address the name alone. */
export function placeOf({
  name,
  address,
}: {
  readonly name: string;
  readonly address: string | null;
}): string {
  return [name, address ?? ''].map(oneLine).filter(Boolean).join(', ');
}
