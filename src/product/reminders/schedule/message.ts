/** The SMS of a scheduled reminder, with its way out. */
import { publicUrl } from '#base/config/public-url.ts';
import { usualQuietHours } from '#base/values/quiet-hours.ts';
import type { NewMessage } from '#product/sending/enqueue.ts';
import { limitTexts } from '#product/sending/limits/rules.ts';
import type { NewWayOut } from '#product/way-out/store.ts';
import { type WayOutSettings, wayOutFor } from '#product/way-out/way-out.ts';
import { reminderText } from '../text.ts';
import type { DueReminder } from './store.ts';

export interface ComposedReminder {
  readonly message: NewMessage;
  /** To be kept with the message; null: the text has no link. */
  readonly wayOut: NewWayOut | null;
}

export interface Composing {
  /** Whether it waits in quiet hours, as what the schedule sends does; staff send at once. */
  readonly keepsQuiet: boolean;
  /** In place of a new code, for a preview. */
  readonly code?: string;
}

export function messageOf(
  reminder: DueReminder,
  settings: WayOutSettings,
  { keepsQuiet, code }: Composing,
): ComposedReminder {
  const { id, partnerId, workshopId, customerId, lastBookingId, workshop } = reminder;
  const phone = reminder.phone ?? '';
  const wayOut = wayOutFor(workshop, settings, code);
  const message: NewMessage = {
    kind: 'serviceReminder',
    ...{ partnerId, workshopId, customerId },
    channel: 'sms',
    audience: 'customer',
    recipient: phone,
    bookingId: lastBookingId,
    causeId: id,
    body: reminderText({ ...reminder, publicUrl: publicUrl(settings), wayOut }).body,
    ...(keepsQuiet && { quietHours: usualQuietHours }),
    ...(wayOut.way === 'none' && { refusal: { reason: 'noWayOut', detail: limitTexts.noWayOut } }),
  };
  return { message, wayOut: wayOut.code === null ? null : { code: wayOut.code, workshopId, phone } };
}
