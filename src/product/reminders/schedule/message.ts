/** The SMS of a scheduled reminder. */
import type { NewMessage } from '#product/sending/enqueue.ts';
import { reminderText } from '../text.ts';
import type { DueReminder } from './store.ts';

/** `address`: the installation's public address; null: unknown. */
export function messageOf(reminder: DueReminder, address: string | null): NewMessage {
  const { id, partnerId, workshopId, customerId, lastBookingId, phone } = reminder;
  return {
    kind: 'serviceReminder',
    ...{ partnerId, workshopId, customerId },
    channel: 'sms',
    audience: 'customer',
    recipient: phone ?? '',
    bookingId: lastBookingId,
    causeId: id,
    body: reminderText({ ...reminder, phone, publicUrl: address }).body,
  };
}
