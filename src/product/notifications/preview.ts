/** Previews a notice as an SMS, with the workshop's own text where it has one. Nothing is sent or stored. */

import { foundById, InvalidInput } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import { eventKinds } from '#platform/events/record.ts';
import { previewText, type SmsPreview } from '#product/messaging/preview.ts';
import type { Way } from './subject.ts';
import { subjects } from './subjects.ts';
import { noticeName, textOfNotice } from './text.ts';

const toCustomer: Way = { audience: 'customer', channel: 'sms' };
const ways: readonly Way[] = [toCustomer, { ...toCustomer, audience: 'workshop' }];

const previews = subjects.flatMap((subject) =>
  eventKinds.flatMap((kind) =>
    ways.flatMap((way) => {
      const name = noticeName(kind, way);
      return name in subject.texts ? [{ name, subject, kind, way }] : [];
    }),
  ),
);

/** The names of all notices that go by SMS. */
export const smsNotices: readonly string[] = previews.map(({ name }) => name);

/**
 * Of the record as it is now. `notice` is a name such as `bookingCreated.customer.sms`. Throws InvalidInput for an unknown name,
 * OperatorError when there is no such record.
 */
export async function previewNotice(db: Queryable, notice: string, recordId: string): Promise<SmsPreview> {
  const previewed = previews.find(({ name }) => name === notice);
  if (previewed === undefined)
    throw new InvalidInput([{ field: 'notice', message: `must be one of ${smsNotices.join(', ')}` }]);
  const { subject, kind, way } = previewed;
  const present = await foundById(subject.name, recordId, () => subject.reads.now(db, recordId));
  const warnings: string[] = [];
  const event = { ...present, eventId: notice, kind };
  const log = { warn: (_: unknown, message: string) => void warnings.push(message) };
  const preview = previewText(textOfNotice(subject, event, way, log).body);
  return { ...preview, warnings: [...warnings, ...preview.warnings] };
}
