/** All that a customer's page shows, read at once; the trail then asks for the names in it. */
import type { SafeHtml } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { latestEntry, type TrailEntry } from '#platform/audit/read/store.ts';
import { listRecords } from '#platform/records/staff/store.ts';
import type { WorkshopBooking } from '#product/bookings/record.ts';
import { listBookingsOf } from '#product/bookings/staff/store.ts';
import { type CustomerRecord, findCustomer } from '#product/customers/store.ts';
import { quoteRecord, type WorkshopQuote } from '#product/quotes/record.ts';
import { reminderRecord, type WorkshopReminder } from '#product/reminders/record.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { listSaid, type Said } from '../../said/store.ts';
import { trailOf } from '../../trail/view.ts';
import { type Call, type CarHistory, countHeld, type Held, listCalls, listCarHistory } from './store.ts';

/** How much of each a page shows. */
export const shownAtMost = { bookings: 25, cars: 50, others: 10 } as const;

export interface History {
  readonly customer: CustomerRecord;
  readonly held: Held;
  /** One more than is shown, where there are older ones. */
  readonly bookings: readonly WorkshopBooking[];
  readonly cars: readonly CarHistory[];
  readonly said: readonly Said[];
  /** None where the role may not see them. */
  readonly quotes: readonly WorkshopQuote[];
  readonly reminders: readonly WorkshopReminder[];
  readonly calls: readonly Call[];
  /** The newest opt-out or opt-in that the trail still has. */
  readonly optChange: TrailEntry | null;
  /** Null where the role may not see it, or it is empty. */
  readonly trail: SafeHtml | null;
}

/** The names of a page's parameters: the last of the page before. */
export const pagedBy = { bookings: 'bookingsBefore', messages: 'messagesBefore' } as const;

/** Throws 404 for a customer of another workshop. */
export async function readHistory(visit: WorkshopVisit): Promise<History> {
  const { context, workshop, params, query } = visit;
  const { db } = context;
  const { workshopId } = workshop;
  const customerId = params['id'] ?? '';
  if (!isId(customerId)) throw new Problem('000002');
  const of = { workshopId, customerId };
  const before = (name: string) => (isId(query[name] ?? '') ? (query[name] ?? null) : null);
  const records = { workshopId, filters: { customer: customerId }, before: null, limit: shownAtMost.others };
  const [customer, held, bookings, cars, said, quotes, reminders, calls, optChange, trail] =
    await Promise.all([
      findCustomer(db, customerId),
      countHeld(db, of),
      listBookingsOf(db, workshopId, {
        ...{ customerId, before: before(pagedBy.bookings), limit: shownAtMost.bookings + 1 },
      }),
      listCarHistory(db, { ...of, now: context.clock.now(), limit: shownAtMost.cars }),
      listSaid(db, workshopId, { customerId, before: before(pagedBy.messages) }),
      visit.may('seeQuotes') ? listRecords(db, quoteRecord, records) : [],
      visit.may('seeReminders') ? listRecords(db, reminderRecord, records) : [],
      visit.may('seeQuotes') ? listCalls(db, { ...of, limit: shownAtMost.others }) : [],
      latestEntry(db, {
        ...{ workshopId, subjectId: customerId, actions: ['customer.optedOut', 'customer.optedIn'] },
      }),
      visit.may('seeTrail') ? trailOf(visit, customerId) : null,
    ]);
  if (customer?.workshopId !== workshopId) throw new Problem('000002');
  return { customer, held, bookings, cars, said, quotes, reminders, calls, optChange, trail };
}
