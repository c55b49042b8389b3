/** Finds a conversation by what staff typed: an id, the code of a booking, or the customer's phone. */

import { OperatorError } from '#base/operator-error.ts';
import { readCode } from '#base/values/code.ts';
import { isId } from '#base/values/id.ts';
import { parsePhone } from '#base/values/phone.ts';
import type { Queryable } from '#platform/db/database.ts';
import { findRecord } from '#platform/records/store.ts';
import { bookingRecord } from '#product/bookings/record.ts';
import { findCustomerByPhone } from '#product/customers/store.ts';
import type { Workshop } from '#product/workshops/store.ts';
import { type ConversationHead, findConversationOf, requireConversation } from './store.ts';

/**
 * `workshopOf` returns the workshop in which a phone is looked for; it is called only for a phone. Throws OperatorError when there
 * is no such conversation, and what `workshopOf` throws.
 */
export async function conversationNamed(
  db: Queryable,
  named: string,
  workshopOf: () => Promise<Workshop>,
): Promise<ConversationHead> {
  if (isId(named)) return requireConversation(db, named);
  const code = readCode(named);
  const booking = /^[0-9A-Z]{8}$/.test(code) ? await findRecord(db, bookingRecord, { code }) : null;
  if (booking !== null) {
    const found = await findConversationOf(db, booking.workshopId, booking.customerId);
    if (found !== null) return found;
    throw noConversation(`with the customer of booking ${booking.code}`, { booking: booking.code });
  }
  // A text without three digits in a row is no phone: no workshop is needed for it.
  if (!/\d{3}/.test(named.replace(/[\s().-]/g, ''))) return requireConversation(db, named);
  const { workshopId, country, name } = await workshopOf();
  const phone = parsePhone(named, country);
  if (phone === null) return requireConversation(db, named);
  const customer = await findCustomerByPhone(db, workshopId, phone);
  const found = customer && (await findConversationOf(db, workshopId, customer.customerId));
  if (found) return found;
  throw noConversation(`of ${name} with ${phone}`, { phone });
}

const noConversation = (which: string, of: { booking: string } | { phone: string }) =>
  new OperatorError(`there is no conversation ${which}`, { refusal: { code: 'noConversation', ...of } });
