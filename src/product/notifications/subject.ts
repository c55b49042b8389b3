/**
 * WHAT A SUBJECT OF NOTICES DECLARES: a record such as a booking or a quote, whose customer and workshop are notified of its
 * events.
 */

import type { Noun } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { OutboundEmail } from '#platform/gateways/email/gateway.ts';
import type { Audience, Channel, QueuedKind } from '#product/sending/kinds.ts';
import type { TemplateVariables } from '#product/templates/fields.ts';
import type { EmailContent } from './email-content.ts';
import type { HandedOver, NoticeEvent } from './event.ts';
import type { NoticeReads } from './store.ts';

/**
 * `Payload` is the payload of its events: the record under the subject's name, and `notifyCustomer` and `notifyWorkshop`. `Present`
 * is the data of its e-mails that is read at the hand-over.
 */
export interface Subject<
  Payload extends object = object,
  Variables extends NoticeVariables = NoticeVariables,
  Present = unknown,
> {
  /** The prefix of its kinds of event, and the key of the record in their payloads: `booking`. */
  readonly name: Noun;
  /** The kind of its messages. */
  readonly kind: QueuedKind;
  /** Why the recipient gets its e-mails: `your booking`, `its bookings`. */
  readonly about: Readonly<Record<Audience, string>>;
  /** The notices of each event, by recipient and channel: those with a text, if the event says so too. */
  readonly texts: DefaultTexts;
  readonly reads: NoticeReads<Payload, Present>;
  recordOf(payload: Payload): ToldRecord;
  /** From the event's payload, even if the record has changed since. */
  variables(event: Pick<NoticeEvent<Payload>, 'payload' | 'workshop'>, channel: Channel): Variables;
  /** The kind of event whose texts its customer gets; absent, or null: those of its own kind. */
  toldAs?(event: Pick<NoticeEvent<Payload>, 'kind' | 'payload'>): string | null;
  /** A custom text of the actor that replaces the notice's text; absent, or null: none. */
  ownWords?(payload: Payload): string | null;
  /**
   * Its texts may contain no link: if the workshop's filled text has one, the default text is sent. The link at the end of an SMS
   * is appended in any case.
   */
  readonly isLinkless?: true;
  /** The path of the record in the console, below the public address. */
  deskPath(payload: Payload, slug: string): string;
  /** The link at the end of each SMS to a customer; absent: the texts have their own link, or need none. */
  readonly smsLink?: SmsLink;
  email(
    event: HandedOver<Payload, Present>,
    variables: Variables,
    to: { readonly audience: Audience; readonly publicUrl: string | null },
  ): NoticeEmail;
  /** Attached to the e-mails to the customer. `sentAt` is the machine clock's. */
  invitation?(
    event: HandedOver<Payload, Present>,
    variables: Variables,
    sentAt: Date,
  ): OutboundEmail['calendar'];
}

/** The audience of a notice, and its channel. */
export interface Way {
  readonly audience: Audience;
  readonly channel: Channel;
}

interface Text {
  /** E-mails only. */
  readonly subject?: string;
  readonly body: string;
  /** The end of an e-mail, after the details. Not added to a workshop's own body. */
  readonly closing?: string;
}

/** By the notice's name: event, audience, channel, such as `bookingCreated.customer.sms`. */
export type DefaultTexts = Readonly<Record<string, Text>>;

/** The variables of every notice. */
export interface NoticeVariables extends TemplateVariables {
  readonly customer: { readonly phone: string };
  readonly workshop: Readonly<Record<'name' | 'phone' | 'email' | 'address', string>>;
}

/** The record in a payload. */
export interface ToldRecord {
  /** Its notices to one recipient are sent in the order of its versions. */
  readonly id: string;
  readonly customerId: string;
  /** E.164; null: erased, or not given. */
  readonly customerPhone: string | null;
  /** The booking that its messages belong to; null: none. */
  readonly bookingId: string | null;
}

export interface SmsLink {
  /** The text before the address: `Your booking`. */
  readonly label: string;
  /** The paths below the public address by record id; missing ones are created. */
  paths(tx: Queryable, recordIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** The parts of an e-mail beside its text. */
export interface NoticeEmail {
  /** Shown by mail programs after the subject. */
  readonly preview: string;
  /** Facts without a value are left out. */
  readonly facts: EmailContent['facts'];
  /** The customer's action on a page; left out when the text contains the address. Null: none. */
  readonly action: NonNullable<EmailContent['actions']>[number] | null;
}
