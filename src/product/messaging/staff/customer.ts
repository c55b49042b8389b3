/** A customer as staff of the workshop read them: cars, bookings, messages, and how often they did not come. */
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Queryable } from '#platform/db/database.ts';
import { countNotCome } from '#product/bookings/attendance/store.ts';
import type { WorkshopBooking } from '#product/bookings/record.ts';
import { listBookingsOf } from '#product/bookings/staff/store.ts';
import { type CarRecord, listCarsOf } from '#product/customers/cars/store.ts';
import { findOtherPhones } from '#product/customers/merged/store.ts';
import { type CustomerRecord, findCustomer } from '#product/customers/store.ts';
import { findConversationOf, type InboxMessage, listMessages } from '../inbox/store.ts';

const limit = 50;

export interface StaffCustomer extends CustomerRecord {
  /** E.164: the phones of merged rows. A customer without a phone is reached by the first of them. */
  readonly furtherPhones: readonly string[];
  readonly cars: readonly CarRecord[];
  /** The latest 50 by date. */
  readonly bookings: readonly WorkshopBooking[];
  /** The newest 50 of their conversation, newest first. */
  readonly messages: readonly InboxMessage[];
  /** Null: there are no messages yet. */
  readonly conversationId: string | null;
  /** The number of bookings that the customer did not come to. */
  readonly notCome: number;
}

/** Throws 404 040001 for a customer that is not the workshop's. */
export async function readStaffCustomer(
  db: Queryable,
  { workshopId, customerId }: { readonly workshopId: string; readonly customerId: string },
): Promise<StaffCustomer> {
  const customer = isId(customerId) ? await findCustomer(db, customerId) : null;
  if (customer?.workshopId !== workshopId) throw new Problem('040001');
  const [cars, bookings, conversation, notCome, others] = await Promise.all([
    listCarsOf(db, customerId),
    listBookingsOf(db, workshopId, { customerId, limit }),
    findConversationOf(db, workshopId, customerId),
    countNotCome(db, workshopId, customerId),
    findOtherPhones(db, workshopId, customerId),
  ]);
  const conversationId = conversation?.conversationId ?? null;
  const messages =
    conversationId === null ? [] : await listMessages(db, { conversationId, before: null, limit });
  const [phone = null, ...furtherPhones] = customer.phone === null ? others : [customer.phone, ...others];
  return { ...customer, phone, furtherPhones, cars, bookings, conversationId, messages, notCome };
}
