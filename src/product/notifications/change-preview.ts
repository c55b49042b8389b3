/**
 * Previews the SMS and the e-mail that the customer of a booking would get for a change by staff, or the reason why none is sent.
 * Nothing is sent.
 */

import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { BookingEventPayload } from '#product/bookings/events.ts';
import type { AnyBooking } from '#product/bookings/schema.ts';
import { readOwnText } from '#product/bookings/staff/ready.ts';
import { readTelling, type Telling } from '#product/bookings/staff/store.ts';
import { type NotTold, notToldInWords, whyNoSms, whyNotTold } from '#product/bookings/staff/telling.ts';
import type { SmsPreview } from '#product/messaging/preview.ts';
import type { Channel } from '#product/sending/kinds.ts';
import { bookingSubject } from './bookings/subject.ts';
import type { NoticeEvent } from './event.ts';
import { previewSms } from './preview.ts';
import type { Subject } from './subject.ts';
import { subjectOf } from './subjects.ts';
import { noticeName, textOfNotice } from './text.ts';

export type StaffChange =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'completed' }
  | { readonly kind: 'cancelled'; readonly reason: string | null }
  | { readonly kind: 'moved'; readonly to: Date }
  /** With `text`, a custom text as for `markReady`. */
  | { readonly kind: 'ready'; readonly text?: string; readonly again?: boolean };

/**
 * Why nothing is sent by a channel; `noNotice`: the change has no notice by this channel; `bounced`: e-mails to the address bounce.
 */
export type NoNotice = NotTold | 'noEmail' | 'bounced' | 'noNotice';

/** In words for people. */
export const noNoticeInWords: Readonly<Record<NoNotice, string>> = {
  ...notToldInWords,
  noEmail: 'the booking has no e-mail address',
  bounced: 'e-mails to the address come back',
  noNotice: 'such a change is not told',
};

export interface ShownEmail {
  readonly subject: string;
  /** The body alone, without the facts of the booking and the link. */
  readonly body: string;
}

export type PreviewOrReason<Text> =
  | { readonly to: string; readonly text: Text; readonly none: null }
  | { readonly to: null; readonly text: null; readonly none: NoNotice };

export interface ChangePreview {
  readonly sms: PreviewOrReason<SmsPreview>;
  readonly email: PreviewOrReason<ShownEmail>;
}

const eventKinds = {
  confirmed: 'booking.confirmed',
  completed: 'booking.completed',
  cancelled: 'booking.cancelled',
  moved: 'booking.updated',
  ready: 'booking.carReady',
} as const satisfies Record<StaffChange['kind'], string>;

/**
 * The texts that would be sent if the change were made now. Throws 404 060001 for a booking that is not the workshop's, and
 * InvalidInput for a text that can't be sent.
 */
export async function previewChange(
  context: Pick<Context, 'db' | 'config'>,
  of: { readonly workshopId: string; readonly bookingId: string; readonly change: StaffChange },
): Promise<ChangePreview> {
  const { db, config } = context;
  const { workshopId, bookingId, change } = of;
  const kind = eventKinds[change.kind];
  const [present, telling] = isId(bookingId)
    ? await Promise.all([bookingSubject.reads.now(db, bookingId), readTelling(db, bookingId)])
    : [null, null];
  if (present === null || telling === null || present.workshopId !== workshopId) throw new Problem('060001');
  const event = { ...present, eventId: bookingId, kind, payload: changed(present.payload.booking, change) };
  const stays = change.kind === 'moved' && event.payload.previousDate === null;
  const subject = stays || change.kind === 'completed' ? null : subjectOf(kind);
  const has = (channel: Channel) => subject !== null && noticeName(kind, to(channel)) in subject.texts;

  const noSms = has('sms') ? whyNot(telling, change, config) : 'noNotice';
  const noEmail = has('email') ? whyNoEmail(telling) : 'noNotice';
  return {
    sms:
      subject === null || noSms !== null
        ? none(noSms ?? 'noNotice')
        : { to: telling.phone, text: await previewSms(context, subject, event, to('sms')), none: null },
    email:
      subject === null || noEmail !== null
        ? none(noEmail ?? 'noNotice')
        : { to: telling.email, text: emailOf(subject, event), none: null },
  };
}

const to = (channel: Channel) => ({ audience: 'customer', channel }) as const;
export const none = (reason: NoNotice) => ({ to: null, text: null, none: reason });
const quiet = { warn: () => undefined };

const whyNot = (telling: Telling, change: StaffChange, config: Context['config']) =>
  change.kind === 'ready'
    ? whyNotTold(telling, { ...config, again: change.again ?? false })
    : whyNoSms(telling, config);

function whyNoEmail({ email, emailBounced, erased }: Telling): NoNotice | null {
  if (email === '') return erased ? 'erased' : 'noEmail';
  return emailBounced ? 'bounced' : null;
}

function emailOf(subject: Subject, event: NoticeEvent): ShownEmail {
  const { subject: line, body } = textOfNotice(subject, event, to('email'), quiet);
  return { subject: line, body };
}

/** The payload of the event that the change would record. */
function changed(
  booking: AnyBooking,
  change: StaffChange,
): BookingEventPayload & { readonly message: string | null } {
  const { kind } = change;
  const date = kind === 'moved' ? change.to.toISOString() : booking.date;
  const isMoved = Date.parse(date) !== Date.parse(booking.date);
  const status = kind === 'moved' || kind === 'ready' ? booking.status : kind;
  const cancelReason = kind === 'cancelled' ? change.reason : booking.cancelReason;
  return {
    booking: { ...booking, date, status, cancelReason },
    ...{ dateChanged: isMoved, previousDate: isMoved ? booking.date : null },
    ...{ notifyCustomer: true, notifyWorkshop: false },
    message: kind === 'ready' && change.text !== undefined ? readOwnText(change.text) : null,
  };
}
