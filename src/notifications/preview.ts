/** Previews a booking's notice as an SMS, with the workshop's own text where it has one. Nothing is sent or stored. */
import type { Queryable } from '#db/database.ts';
import { previewText, type SmsPreview } from '#messaging/preview.ts';
import { foundById, InvalidInput } from '#operator-error.ts';
import { composeNotice, notices } from './notices.ts';
import { findNoticeBooking } from './store.ts';

export const smsNotices = Object.keys(notices).filter((name) => name.endsWith('.sms'));

/** `notice` is a name such as `bookingCreated.customer.sms`. Throws InvalidInput for an unknown name, OperatorError for an unknown booking. */
export async function previewNotice(db: Queryable, notice: string, bookingId: string): Promise<SmsPreview> {
  const [what = '', audience = ''] = notice.split('.');
  if (!smsNotices.includes(notice) || (audience !== 'customer' && audience !== 'workshop')) {
    throw new InvalidInput([{ field: 'notice', message: `must be one of ${smsNotices.join(', ')}` }]);
  }
  const found = await foundById('booking', bookingId, () => findNoticeBooking(db, bookingId, notice));
  const warnings: string[] = [];
  const { body } = composeNotice(
    {
      ...found.workshop,
      id: notice,
      eventKind: what.replace(/^booking/, 'booking.').toLowerCase(),
      audience,
      channel: 'sms',
      booking: found.booking,
      templateSubject: null,
      templateBody: found.templateBody,
    },
    { warn: (_: unknown, message: string) => void warnings.push(message) },
  );
  const preview = previewText(body);
  return { ...preview, warnings: [...warnings, ...preview.warnings] };
}
