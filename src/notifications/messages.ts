/** The messages of an event's notices: one for each recipient and channel. */
import { type NewMessage, pageCeiling } from '#sending/enqueue.ts';
import type { Audience, Channel, QueuedKind } from '#sending/kinds.ts';
import type { NoticeText, Way } from './compose.ts';

export interface NoticesOf {
  readonly kind: QueuedKind;
  readonly eventId: string;
  readonly workshopId: string;
  /** What the event happened to: the booking or quote. */
  readonly subjectId: string;
  /** The subject's, after the event. */
  readonly version: number;
  readonly customerId: string;
  readonly bookingId: string | null;
  readonly recipients: readonly {
    readonly audience: Audience;
    readonly channel: Channel;
    readonly recipient: string;
    /** A page set the event off, and has sent as much as it may: the notice is stored, and not sent. */
    readonly withheld: boolean;
  }[];
}

/** Those to one recipient go out in the order of the subject's versions. */
export function messagesTo(
  { kind, eventId, workshopId, subjectId, version, customerId, bookingId, recipients }: NoticesOf,
  textFor: (way: Way) => Pick<NoticeText, 'subject' | 'body' | 'template'>,
): NewMessage[] {
  return recipients.map(({ audience, channel, recipient, withheld }) => {
    const { subject, body, template } = textFor({ audience, channel });
    return {
      ...{ kind, workshopId, channel, audience, recipient, bookingId, template, body },
      customerId: audience === 'customer' ? customerId : null,
      causeId: eventId,
      subject: channel === 'email' ? subject : null,
      seriesId: subjectId,
      seriesNumber: version,
      refusal: withheld ? pageCeiling : null,
    };
  });
}
