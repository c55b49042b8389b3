/** Opens a booking of the workshop that a visit is at. */
import { addDays, dateAt } from '#base/values/local-day.ts';
import { Problem } from '#errors.ts';
import { byIdOrCode } from '#platform/records/partner-records.ts';
import { findRecord } from '#platform/records/store.ts';
import { bookingRecord, type WorkshopBooking } from '#product/bookings/record.ts';
import { todayAt } from '../days/read.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { countShown } from '../frame/found.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { type Beside, readBeside } from './store.ts';

export interface OpenedBooking {
  readonly booking: WorkshopBooking;
  readonly beside: Beside;
  /** The path of its page. */
  readonly path: string;
}

/** The days of the present week, today being the first. */
const weekDays = 7;

/** By its id, or its code. Counts its customer as shown, unless the present week shows it. Throws 404, also for a booking of another workshop. */
export async function openBooking(visit: WorkshopVisit): Promise<OpenedBooking> {
  const { context, workshop, params, base } = visit;
  const name = byIdOrCode(bookingRecord, params['id'] ?? '');
  const booking = name && (await findRecord(context.db, bookingRecord, name));
  if (!booking || booking.workshopId !== workshop.workshopId) throw new Problem('000002');
  const { workshopId, seesPhones } = workshop;
  const [beside] = await Promise.all([
    readBeside(context.db, { workshopId, bookingId: booking.id, seesPhones }),
    isThisWeek(visit, booking) ? null : countShown(visit, [booking.customerId]),
  ]);
  if (beside === null) throw new Problem('000002');
  return { booking, beside, path: `${base}/bookings/${booking.id}` };
}

function isThisWeek({ context, workshop }: WorkshopVisit, { date }: WorkshopBooking): boolean {
  const today = todayAt(context, workshop);
  const its = dateAt(Date.parse(date), workshop.timezone);
  return its >= today && its < addDays(today, weekDays);
}

/** The data of its page. For a customer without a conversation any message may be the first. */
export const followedByPage = ({
  booking: { id, customerId },
  beside: { version, attendance, conversationId },
}: OpenedBooking): Pick<ConsolePage, 'live' | 'version'> => ({
  live: [
    ...([`booking:${id}`, `attendance:${id}`, `customer:${customerId}`, `message:${customerId}`] as const),
    conversationId === null ? 'message' : `message:${conversationId}`,
  ],
  version: `${version} ${attendance}`,
});

/** The same for a form of the booking. */
export const followedByForm = ({
  booking,
  beside,
}: OpenedBooking): Pick<ConsolePage, 'live' | 'version' | 'isForm'> => ({
  ...{ live: [`booking:${booking.id}`], version: String(beside.version), isForm: true },
});
