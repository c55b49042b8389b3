/** The texts of notices: the workshop's template (its purpose is the notice's name) where there is one, else the default text. */
import type { Booking } from '#bookings/schema.ts';
import {
  type BookingVariables,
  bookingVariables,
  type TemplateWorkshop,
} from '#bookings/template-variables.ts';
import type { Audience, Channel } from '#sending/kinds.ts';
import { type DefaultTexts, type NoticeLog, type RenderedNotice, renderNotice } from './render.ts';

export const signature = '{{ workshop.name | shorten: 40 }}';
/** Events that were recorded before they kept it have no time to name. */
const was = '{% if booking.previousDateTime != "" %} (was {{ booking.previousDateTime }}){% endif %}';
const visit = '{{ booking.code }} for {{ car.rego }}';
const reason =
  '{% if booking.cancelReason != "" %} Reason: {{ booking.cancelReason | shorten: 60 }}{% endif %}';
const questions = 'Questions? Call {{ workshop.phone }}';
export const greeting = 'Hi {{ customer.firstName | default: customer.name }},\n\n';
/** After the details of an e-mail. */
export const goodbye =
  'Questions? Call us on {{ workshop.phone }} or write to {{ workshop.email }}.\n\n{{ workshop.name }}';

/** Default texts by the notice's name: event, audience, channel. An SMS has at most two segments. */
export const notices = {
  'bookingCreated.customer.sms': {
    body: `${signature}: we have received your booking ${visit} on {{ booking.dateTime }}. ${questions}`,
  },
  'bookingCreated.customer.email': {
    subject: 'Your booking at {{ workshop.name }}: {{ booking.dateTime }}',
    body: `${greeting}Thank you for booking with us. These are the details of your booking.`,
    closing: goodbye,
  },
  'bookingCreated.workshop.sms': {
    body: `New booking ${visit}: {{ booking.dateTime }}, {{ customer.name | shorten: 40 }} {{ customer.phone }}`,
  },
  'bookingCreated.workshop.email': {
    subject: 'New booking {{ booking.code }}: {{ booking.dateTime }}, {{ car.rego }}',
    body: '{{ customer.name }} has booked. You can reach them on {{ customer.phone }} or {{ customer.email }}.',
  },
  'bookingUpdated.customer.sms': {
    body: `${signature}: your booking ${visit} has moved to {{ booking.dateTime }}${was}. ${questions}`,
  },
  'bookingUpdated.customer.email': {
    subject: 'Your booking has moved to {{ booking.dateTime }}',
    body: `${greeting}Your booking has moved to {{ booking.dateTime }}${was}. These are its details now.`,
    closing: goodbye,
  },
  'bookingUpdated.workshop.sms': {
    body: `Moved by the customer: booking ${visit} is now on {{ booking.dateTime }}${was}, {{ customer.name | shorten: 40 }} {{ customer.phone }}`,
  },
  'bookingUpdated.workshop.email': {
    subject: 'Moved: booking {{ booking.code }}, {{ booking.dateTime }}, {{ car.rego }}',
    body: `{{ customer.name }} has moved the booking to {{ booking.dateTime }}${was}. You can reach them on {{ customer.phone }} or {{ customer.email }}.`,
  },
  'bookingConfirmed.customer.sms': {
    body: `${signature}: your booking ${visit} on {{ booking.dateTime }} is confirmed. ${questions}`,
  },
  'bookingConfirmed.customer.email': {
    subject: 'Confirmed: your booking on {{ booking.dateTime }}',
    body: `${greeting}Your booking is confirmed. We look forward to seeing you.`,
    closing: goodbye,
  },
  'bookingCancelled.customer.sms': {
    body: `${signature}: your booking ${visit} on {{ booking.dateTime }} is cancelled.${reason} ${questions}`,
  },
  'bookingCancelled.customer.email': {
    subject: 'Cancelled: your booking on {{ booking.dateTime }}',
    body: `${greeting}Your booking is cancelled.`,
    closing: goodbye,
  },
  'bookingCancelled.workshop.sms': {
    body: `Cancelled: booking ${visit}, {{ booking.dateTime }}, {{ customer.name | shorten: 40 }} {{ customer.phone }}${reason}`,
  },
  'bookingCancelled.workshop.email': {
    subject: 'Cancelled: booking {{ booking.code }}, {{ booking.dateTime }}, {{ car.rego }}',
    body: 'The booking of {{ customer.name }} is cancelled. You can reach them on {{ customer.phone }} or {{ customer.email }}.',
  },
} as const satisfies DefaultTexts;

export type NoticeName = keyof typeof notices;

/** The workshop of a notice (`workshopJson`): what texts say of it, and what its e-mails look like. */
export interface NoticeWorkshop extends TemplateWorkshop {
  /** `#rrggbb`; null: the usual one. */
  readonly colour: string | null;
  /** Said behind totals; null: nothing. */
  readonly taxLabel: string | null;
}

/** What a notice's text is made from; the workshop's own template where it has one. */
export interface NoticeContent extends NoticeWorkshop {
  readonly id: string;
  readonly eventKind: string;
  readonly audience: Audience;
  readonly channel: Channel;
  readonly booking: Booking;
  /** When it was before the event moved it. */
  readonly previousDate?: string | null;
  readonly templateSubject: string | null;
  readonly templateBody: string | null;
}

/** One notice to one recipient: who and where, and the booking as the event left it. */
export interface NoticeFacts extends NoticeContent {
  readonly recipient: string;
  readonly version: number;
  /** How long the booking's services take together; 0: not known. */
  readonly minutes: number;
}

/** `bookingCreated.customer.sms`. */
export function noticeName(facts: Pick<NoticeFacts, 'eventKind' | 'audience' | 'channel'>): string {
  const what = facts.eventKind.replace(/\.(.)/g, (_, first: string) => first.toUpperCase());
  return `${what}.${facts.audience}.${facts.channel}`;
}

export type ComposedNotice = RenderedNotice<BookingVariables>;

/** Renders the text of a notice: the workshop's, or the default. */
export function composeNotice(
  facts: NoticeContent,
  log: NoticeLog,
  variables: BookingVariables = bookingVariables(facts.booking, facts, facts.channel, facts.previousDate),
): ComposedNotice {
  return renderNotice({ ...facts, name: noticeName(facts), texts: notices, variables }, log);
}
