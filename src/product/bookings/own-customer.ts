/** The customer of a workshop's own booking or quote, where somebody was chosen or a number may tell nobody whose it is. */
import type { Queryable } from '#platform/db/database.ts';
import { findNumberOf, insertApart } from '#product/customers/apart/store.ts';
import { findCustomer, followCustomer, workshopItself } from '#product/customers/store.ts';
import { givePhone } from '#product/customers/walk-ins/store.ts';
import type { OwnBooking, RedeemingBooking } from './store.ts';

/** A booking to insert, but for its code. */
export type Prepared = Omit<RedeemingBooking & OwnBooking, 'code'>;

/** The known values of the customer of a booking or quote to insert. */
export type Owned = Pick<
  Prepared,
  | 'workshopId'
  | 'customerId'
  | 'customerPhone'
  | 'newCustomerId'
  | 'customerName'
  | 'customerFirstName'
  | 'customerLastName'
  | 'customerEmail'
  | 'customerCompany'
  | 'isApart'
  | 'keepsName'
  | 'now'
>;

/** The same with a customer apart, where a known customer has its number (specification: The workshop's own bookings 8). */
export async function apart<Order extends Owned>(
  tx: Queryable,
  booking: Order,
  by: 'typed' | 'filledIn',
): Promise<Order> {
  const { workshopId, customerId, customerPhone: phone, newCustomerId, now } = booking;
  if (phone === null) return booking;
  // The same number once more, for the customer apart that it made.
  const chosen = customerId === null ? null : await findNumberOf(tx, workshopId, customerId);
  if (chosen?.phone === phone) return { ...booking, isApart: true };
  if (by === 'filledIn') return booking;
  const { customerName: name, customerFirstName: firstName, customerLastName: lastName } = booking;
  const { customerEmail: email, customerCompany: company } = booking;
  const typed = { workshopId, phone, newCustomerId, name, firstName, lastName, email, company, now };
  return (await insertApart(tx, typed)) ? { ...booking, customerId: newCustomerId, isApart: true } : booking;
}

/**
 * Locks the chosen customer's row and writes the given details to it. Without a phone, or apart from whose it is, the booking uses
 * this customer.
 */
export async function settleChosen(tx: Queryable, { customerId, customerPhone: phone, ...booking }: Owned) {
  if (customerId === null) return;
  const { workshopId, now, isApart, keepsName } = booking;
  if (phone !== null && !isApart) return givePhone(tx, { workshopId, customerId, phone, now });
  const { customerFirstName: firstName, customerLastName: lastName } = booking;
  const { customerEmail: email, customerCompany: company } = booking;
  const isKept = keepsName && ((await findCustomer(tx, customerId))?.name ?? null) !== null;
  const news = { name: isKept ? null : booking.customerName, firstName, lastName, email, company };
  await followCustomer(tx, { id: customerId, workshopId, ...news, partnerId: workshopItself, now });
}
