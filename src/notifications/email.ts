/** The e-mail of a notice: text, HTML and, for the customer, the invitation from the same values. */
import type { BookingVariables } from '#bookings/template-variables.ts';
import type { OutboundEmail, Unsubscribe } from '#gateways/email/gateway.ts';
import type { Audience } from '#sending/kinds.ts';
import { isolated } from '#values/bidi.ts';
import { shorten } from '#values/shorten.ts';
import { invitation } from './calendar.ts';
import type { EmailContent } from './email-content.ts';
import { htmlOf } from './email-html.ts';
import { textOf } from './email-text.ts';
import type { ComposedNotice, NoticeFacts } from './notices.ts';

export interface EmailSettings {
  /** By the machine clock, as mail dates are. */
  readonly sentAt: Date;
  /** The unsubscribe address of e-mails to workshops; null: they name none. */
  readonly unsubscribe: string | null;
  /** Where a customer manages the booking; null: not known. */
  readonly manageUrl?: string | null;
}

export function emailOf(
  facts: NoticeFacts,
  notice: Omit<ComposedNotice, 'isOwnText'>,
  settings: EmailSettings,
): OutboundEmail {
  const { variables, subject, body, closing } = notice;
  const { workshop, booking, car } = variables;
  const { manageUrl } = settings;
  const isToCustomer = facts.audience === 'customer';
  return noticeEmailOf(
    {
      ...{ id: facts.id, recipient: facts.recipient, audience: facts.audience },
      workshop: { ...workshop, colour: facts.colour },
      ...{ subject, body, closing },
      preview: [booking.dateTime, car.rego, booking.code].join(', '),
      // Staff have no page of it.
      actions: isToCustomer && manageUrl ? [{ label: 'See your booking', url: manageUrl }] : [],
      facts: [...factsOf(variables), ['Address', isToCustomer ? workshop.address : '']],
      phones: new Map([
        [variables.customer.phone, facts.booking.customer.phone ?? ''],
        [workshop.phone, facts.phone],
      ]),
      about: { customer: 'your booking', workshop: 'its bookings' },
      // A workshop gets no notice when a booking moves, so its calendar would keep the old date.
      calendar: isToCustomer ? invitation(facts, variables, settings.sentAt) : null,
    },
    settings.unsubscribe,
  );
}

/** What the e-mails of all notices consist of. */
export interface NoticeEmail {
  /** Of the message: the same at each attempt, so that mail programs recognise a repeat. */
  readonly id: string;
  readonly recipient: string;
  readonly audience: Audience;
  readonly workshop: { readonly name: string; readonly email: string; readonly colour: string | null };
  readonly subject: string;
  readonly body: string;
  /** After the details. */
  readonly closing: string;
  readonly preview: string;
  readonly actions: NonNullable<EmailContent['actions']>;
  /** Those without a value are left out. */
  readonly facts: EmailContent['facts'];
  readonly phones: EmailContent['phones'];
  /** Why the recipient gets it: `your booking`, `its bookings`. */
  readonly about: Readonly<Record<Audience, string>>;
  readonly calendar: OutboundEmail['calendar'];
}

/** `unsubscribe` is the unsubscribe address of e-mails to workshops; null: they name none. */
export function noticeEmailOf(notice: NoticeEmail, unsubscribe: string | null): OutboundEmail {
  const { id, recipient, audience, workshop, subject, preview, about, calendar } = notice;
  const isToCustomer = audience === 'customer';
  const content: EmailContent = {
    subject,
    preview,
    workshopName: workshop.name,
    colour: workshop.colour,
    actions: notice.actions,
    body: notice.body,
    facts: notice.facts.filter(([, value]) => value.trim() !== ''),
    phones: notice.phones,
    quotes: [],
    closing: notice.closing,
    footer: isToCustomer
      ? `You are getting this e-mail because of ${about.customer} with ${isolated(workshop.name)}.`
      : workshopFooter(workshop.name, about.workshop, unsubscribe),
  };
  return {
    reference: id,
    to: recipient,
    ...(isToCustomer && {
      onBehalfOf: workshop.name,
      replyTo: { name: workshop.name, address: workshop.email },
    }),
    ...(!isToCustomer && { unsubscribe: workshopUnsubscribe(workshop.name, unsubscribe) }),
    subject,
    text: textOf(content),
    html: htmlOf(content),
    calendar,
  };
}

/**
 * Notices to a workshop are a subscription, so they have an unsubscribe address. Those to customers follow from their own
 * bookings: there is nothing to unsubscribe from.
 */
export function workshopUnsubscribe(workshopName: string, address: string | null): Unsubscribe | null {
  if (address === null) return null;
  // A header line has at most 998 bytes, and each character may take twelve.
  return { mailto: { address, subject: `Unsubscribe from ${shorten(workshopName, 50)}` } };
}

export function workshopFooter(workshopName: string, about: string, unsubscribe: string | null): string {
  const end = unsubscribe === null ? '' : ` To end that, write to ${unsubscribe}.`;
  return `${isolated(workshopName)} has e-mails about ${about} sent to this address.${end}`;
}

function factsOf({ booking, car, workshop, customer }: BookingVariables): [string, string][] {
  return [
    ['When', booking.dateTime],
    ['Before', booking.previousDateTime],
    ['Pick-up', booking.pickupTime],
    ['Car', [car.rego, car.description].filter(Boolean).join(', ')],
    ['Services', booking.services],
    ['Package', booking.servicePackageType],
    ['Name', customer.name],
    ['Phone', customer.phone],
    ['Notes', booking.notes],
    ['Reason', booking.cancelReason],
    ['Workshop', workshop.name],
    ['Booking code', booking.code],
  ];
}
