/** Previews a notice as an SMS, with the workshop's own text if it has one. Nothing is sent. */

import { publicUrl } from '#base/config/public-url.ts';
import { foundById, InvalidInput } from '#base/operator-error.ts';
import type { Context } from '#platform/context.ts';
import { eventKinds } from '#platform/events/record.ts';
import { previewText, type SmsPreview } from '#product/messaging/preview.ts';
import type { NoticeEvent } from './event.ts';
import { withLink } from './sms-link.ts';
import type { Subject, Way } from './subject.ts';
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

/** The names of all notices by SMS. */
export const smsNotices: readonly string[] = previews.map(({ name }) => name);

type Needed = Pick<Context, 'db' | 'config'>;

/**
 * For the present state of the record. `notice` is a name such as `bookingCreated.customer.sms`. Throws InvalidInput for an unknown
 * name, OperatorError when there is no such record.
 */
export async function previewNotice(context: Needed, notice: string, recordId: string): Promise<SmsPreview> {
  const previewed = previews.find(({ name }) => name === notice);
  if (previewed === undefined)
    throw new InvalidInput([{ field: 'notice', message: `must be one of ${smsNotices.join(', ')}` }]);
  const { subject, kind, way } = previewed;
  const { db } = context;
  const present = await foundById(subject.name, recordId, () => subject.reads.now(db, recordId));
  return previewSms(context, subject, { ...present, eventId: notice, kind }, way);
}

/** The SMS of an event that has not happened, with its link at the end; a missing manage link is created, as the notice would. */
export async function previewSms(
  { db, config }: Needed,
  subject: Subject,
  event: NoticeEvent,
  way: Way,
): Promise<SmsPreview> {
  const warnings: string[] = [];
  const log = { warn: (_: unknown, message: string) => void warnings.push(message) };
  const { body } = textOfNotice(subject, event, way, log);
  const linkTo = way.audience === 'customer' ? subject.smsLink : undefined;
  const base = publicUrl(config);
  const { id } = subject.recordOf(event.payload);
  const path = linkTo === undefined || base === null ? undefined : (await linkTo.paths(db, [id])).get(id);
  const isLinked = linkTo !== undefined && path !== undefined;
  const preview = previewText(isLinked ? withLink(body, linkTo.label, base + path) : body);
  return { ...preview, warnings: [...warnings, ...preview.warnings] };
}
