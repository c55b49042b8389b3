/** A booking as a calendar entry (RFC 5545), for invitations and for the calendar of a workshop. */
import { type ICalEventData, ICalEventStatus } from 'ical-generator';
import type { Booking, BookingStatus } from '#bookings/schema.ts';
import { oneLine } from '#values/one-line.ts';

/** The duration of the work is unknown; calendars need a length. */
const lengthMs = 60 * 60 * 1000;

/** A booking that the workshop has not confirmed may still change. */
const statuses: Readonly<Record<BookingStatus, ICalEventStatus>> = {
  pending: ICalEventStatus.TENTATIVE,
  confirmed: ICalEventStatus.CONFIRMED,
  completed: ICalEventStatus.CONFIRMED,
  cancelled: ICalEventStatus.CANCELLED,
};

/** Later versions replace earlier ones in a calendar, by UID and SEQUENCE. Times are in UTC: every calendar shows them in its own zone. */
export function calendarEntry(
  { id, date, status }: Pick<Booking, 'id' | 'date' | 'status'>,
  version: number,
): Pick<ICalEventData, 'id' | 'sequence' | 'start' | 'end' | 'status'> {
  const start = new Date(date);
  return {
    id: `booking-${id}@pitlane`,
    sequence: version,
    start,
    end: new Date(start.getTime() + lengthMs),
    status: statuses[status],
  };
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
