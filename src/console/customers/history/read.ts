/**
 * Reads the data of a customer's page: first the ids of all their rows, then everything concurrently, then the names in the trail.
 */
import type { SafeHtml } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { latestEntry, type TrailEntry } from '#platform/audit/read/store.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { RecordType } from '#platform/records/record.ts';
import { listRecords } from '#platform/records/staff/store.ts';
import type { WorkshopBooking } from '#product/bookings/record.ts';
import { listBookingsOf } from '#product/bookings/staff/store.ts';
import { findApart, findNumberOf } from '#product/customers/apart/store.ts';
import { type CustomerRows, findRows } from '#product/customers/merged/store.ts';
import { type CustomerRecord, findCustomer } from '#product/customers/store.ts';
import { findConversationOf } from '#product/messaging/inbox/store.ts';
import { quoteRecord, type WorkshopQuote } from '#product/quotes/record.ts';
import { reminderRecord, type WorkshopReminder } from '#product/reminders/record.ts';
import { countShown } from '../../frame/found.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { listSaid, type Said } from '../../said/store.ts';
import { newestOf } from '../../trail/view.ts';
import { trailOfRows } from '../trail.ts';
import { type Call, type CarHistory, countHeld, type Held, listCalls, listCarHistory } from './store.ts';

/** How many of each a page shows. */
export const listedAtMost = { bookings: 25, cars: 50, others: 10 } as const;

export interface History {
  /** A customer without a phone is shown with the first phone of the merged rows. */
  readonly customer: CustomerRecord;
  /** The phones of merged customers, E.164. */
  readonly furtherPhones: readonly string[];
  /** Customers apart who were booked with a number of theirs, for people who see phones. */
  readonly alsoOf: readonly string[];
  readonly held: Held;
  /** One more than is shown when there are older ones. */
  readonly bookings: readonly WorkshopBooking[];
  readonly cars: readonly CarHistory[];
  readonly said: readonly Said[];
  /** The conversation with them; null: there is none. */
  readonly conversationId: string | null;
  /** Empty when the role may not see them. */
  readonly quotes: readonly WorkshopQuote[];
  readonly reminders: readonly WorkshopReminder[];
  readonly calls: readonly Call[];
  /** The newest opt-out or opt-in that the trail still has. */
  readonly optChange: TrailEntry | null;
  /** Null when the role may not see it, or it is empty. */
  readonly trail: SafeHtml | null;
}

/** Query parameters of the cursors: the last item of the previous page. */
export const pagedBy = { bookings: 'bookingsBefore', messages: 'messagesBefore' } as const;

/** Throws 404 for a customer of another workshop. */
export async function readHistory(visit: WorkshopVisit): Promise<History> {
  const { context, workshop, params, query } = visit;
  const { db } = context;
  const { workshopId } = workshop;
  const customerId = params['id'] ?? '';
  if (!isId(customerId)) throw new Problem('000002');
  const found = await findRows(db, workshopId, customerId);
  const [phone = null, ...furtherPhones] = found.phones;
  // People who see phones read the bookings with a number of the customer's; others read each apart, with a masked number.
  const alsoOf = workshop.seesPhones ? await findApart(db, found.ids) : [];
  const rows = { ...found, ids: [...found.ids, ...alsoOf] };
  const number = phone === null ? await findNumberOf(db, workshopId, customerId) : null;
  const before = (name: string) => (isId(query[name] ?? '') ? (query[name] ?? null) : null);
  const [customer, held, bookings, cars, said, conversation, quotes, reminders, calls, optChange, trail] =
    await Promise.all([
      findCustomer(db, customerId),
      countHeld(db, rows),
      listBookingsOf(db, workshopId, {
        ...{ customerId, alsoOf, before: before(pagedBy.bookings), limit: listedAtMost.bookings + 1 },
      }),
      listCarHistory(db, { rows, now: context.clock.now(), limit: listedAtMost.cars }),
      listSaid(db, workshopId, { customerId, alsoOf, before: before(pagedBy.messages) }),
      findConversationOf(db, workshopId, customerId),
      visit.may('seeQuotes') ? listLatest(db, quoteRecord, rows) : [],
      visit.may('seeReminders') ? listLatest(db, reminderRecord, rows) : [],
      visit.may('seeQuotes') ? listCalls(db, rows, listedAtMost.others) : [],
      latestOptChange(db, rows),
      visit.may('seeTrail') ? trailOfRows(visit, rows.ids) : null,
      rows.ids.length === 0 ? null : countShown(visit, [customerId]),
    ]);
  if (customer?.workshopId !== workshopId) throw new Problem('000002');
  return {
    customer: { ...customer, phone: phone ?? number?.phone ?? null },
    furtherPhones,
    alsoOf,
    held,
    bookings,
    cars,
    said,
    conversationId: conversation?.conversationId ?? null,
    quotes,
    reminders,
    calls,
    optChange,
    trail,
  };
}

/** The newest records of all rows of the customer, read for each row by its index. */
async function listLatest<Item extends { readonly id: string }>(
  db: Queryable,
  record: RecordType<unknown, Item>,
  { workshopId, ids }: CustomerRows,
): Promise<Item[]> {
  const limit = listedAtMost.others;
  const each = await Promise.all(
    ids.map((customer) =>
      listRecords(db, record, { workshopId, filters: { customer }, before: null, limit }),
    ),
  );
  return each
    .flat()
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, limit);
}

/** Reads the latest opt-out or opt-in of all rows of the customer: it applies to all of them, and each has an entry. */
async function latestOptChange(db: Queryable, { workshopId, ids }: CustomerRows): Promise<TrailEntry | null> {
  const actions = ['customer.optedOut', 'customer.optedIn'];
  const each = await Promise.all(ids.map((subjectId) => latestEntry(db, { workshopId, subjectId, actions })));
  return newestOf([each.filter((entry) => entry !== null)])[0] ?? null;
}

/** The counts of a customer's data, for forms. */
export async function readHeld({ context, workshop }: WorkshopVisit, customerId: string): Promise<Held> {
  return countHeld(context.db, await findRows(context.db, workshop.workshopId, customerId));
}
