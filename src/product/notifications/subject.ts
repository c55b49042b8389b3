/** WHAT A SUBJECT OF NOTICES DECLARES: a record such as a booking or a quote, whose events are told to its customer and its workshop. */

import type { Noun } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { OutboundEmail } from '#platform/gateways/email/gateway.ts';
import type { Audience, Channel, QueuedKind } from '#product/sending/kinds.ts';
import type { TemplateVariables } from '#product/templates/fields.ts';
import type { EmailContent } from './email-content.ts';
import type { HandedOver, NoticeEvent } from './event.ts';
import type { NoticeReads } from './store.ts';

/**
 * `Payload` is what its events carry: the record under the subject's name, and `notifyCustomer` and `notifyWorkshop`. `Present` is what
 * its e-mails say of the record as it is at the hand-over.
 */
export interface Subject<
  Payload extends object = object,
  Variables extends NoticeVariables = NoticeVariables,
  Present = unknown,
> {
  /** As its kinds of event begin, and their payloads name the record: `booking`. */
  readonly name: Noun;
  /** Of its messages. */
  readonly kind: QueuedKind;
  /** Why somebody gets its e-mails: `your booking`, `its bookings`. */
  readonly about: Readonly<Record<Audience, string>>;
  /** Who is notified of which event, by which channel: those for whom there is a text, if the event says so too. */
  readonly texts: DefaultTexts;
  readonly reads: NoticeReads<Payload, Present>;
  recordOf(payload: Payload): ToldRecord;
  /** As its event left the record, also when it has changed since. */
  variables(event: Pick<NoticeEvent<Payload>, 'payload' | 'workshop'>, channel: Channel): Variables;
  /** What whoever set the event off worded in place of the texts; absent, or null: nothing. */
  ownWords?(payload: Payload): string | null;
  /** Its texts may hold no link: where the workshop's own does, once it is filled, ours is sent. The link that ends an SMS is added either way. */
  readonly isLinkless?: true;
  /** Where the workshop's people find it in their console, below the public address. */
  deskPath(payload: Payload, slug: string): string;
  /** Ends each SMS to a customer; absent: the texts have their link, or need none. */
  readonly smsLink?: SmsLink;
  email(
    event: HandedOver<Payload, Present>,
    variables: Variables,
    to: { readonly audience: Audience; readonly publicUrl: string | null },
  ): NoticeEmail;
  /** Comes with the e-mails to the customer. `sentAt` is the machine clock's. */
  invitation?(
    event: HandedOver<Payload, Present>,
    variables: Variables,
    sentAt: Date,
  ): OutboundEmail['calendar'];
}

/** Whom a notice is for, and how it goes there. */
export interface Way {
  readonly audience: Audience;
  readonly channel: Channel;
}

interface Text {
  /** E-mails only. */
  readonly subject?: string;
  readonly body: string;
  /** What stands after the details of an e-mail. A workshop's own body is followed by none. */
  readonly closing?: string;
}

/** By the notice's name: event, audience, channel, such as `bookingCreated.customer.sms`. */
export type DefaultTexts = Readonly<Record<string, Text>>;

/** What every notice can say. */
export interface NoticeVariables extends TemplateVariables {
  readonly customer: { readonly phone: string };
  readonly workshop: Readonly<Record<'name' | 'phone' | 'email' | 'address', string>>;
}

/** Of the record in a payload. */
export interface ToldRecord {
  /** Its notices to one recipient go out in the order of its versions. */
  readonly id: string;
  readonly customerId: string;
  /** E.164; null: erased, or not given. */
  readonly customerPhone: string | null;
  /** The booking that its messages belong to; null: none. */
  readonly bookingId: string | null;
}

export interface SmsLink {
  /** Before the address: `Your booking`. */
  readonly label: string;
  /** Its path below the public address by the records' ids; made where it is missing. */
  paths(tx: Queryable, recordIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** What an e-mail has beside its text. */
export interface NoticeEmail {
  /** Shown by mail programs after the subject. */
  readonly preview: string;
  /** Those without a value are left out. */
  readonly facts: EmailContent['facts'];
  /** What the customer can do on a page; left out where the text has the address in its words. Null: nothing. */
  readonly action: NonNullable<EmailContent['actions']>[number] | null;
}
