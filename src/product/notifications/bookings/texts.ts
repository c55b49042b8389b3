/** The default texts of notices of bookings, by the notice's name. An SMS has at most two segments. */
import { goodbye, greeting, reach, signature, who } from '../phrases.ts';
import type { DefaultTexts } from '../subject.ts';

/** Events of earlier releases do not contain the previous time. */
const was = '{% if booking.previousDateTime != "" %} (was {{ booking.previousDateTime }}){% endif %}';
const visit = '{{ booking.code }}{% if car.rego != "" %} for {{ car.rego }}{% endif %}';
const name = '{{ customer.name | default: "A customer" }}';
const rego = '{{ car.rego | default: "rego not given" }}';
const reason =
  '{% if booking.cancelReason != "" %} Reason: {{ booking.cancelReason | shorten: 60 | sentence }}{% endif %}';
const questions = 'Questions? Call {{ workshop.phone }}';

export const bookingTexts = {
  'bookingCreated.customer.sms': {
    body: `${signature}: we have received your booking ${visit} on {{ booking.dateTime }}. ${questions}`,
  },
  'bookingCreated.customer.email': {
    subject: 'Your booking at {{ workshop.name }}: {{ booking.dateTime }}',
    body: `${greeting}Thank you for booking with us. These are the details of your booking.`,
    closing: goodbye,
  },
  'bookingCreated.workshop.sms': {
    body: `New booking ${visit}: {{ booking.dateTime }}, ${who}`,
  },
  'bookingCreated.workshop.email': {
    subject: `New booking {{ booking.code }}: {{ booking.dateTime }}, ${rego}`,
    body: `${name} has booked.${reach}`,
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
    body: `Moved by the customer: booking ${visit} is now on {{ booking.dateTime }}${was}, ${who}`,
  },
  'bookingUpdated.workshop.email': {
    subject: `Moved: booking {{ booking.code }}, {{ booking.dateTime }}, ${rego}`,
    body: `${name} has moved the booking to {{ booking.dateTime }}${was}.${reach}`,
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
    body: `Cancelled: booking ${visit}, {{ booking.dateTime }}, ${who}${reason}`,
  },
  'bookingCancelled.workshop.email': {
    subject: `Cancelled: booking {{ booking.code }}, {{ booking.dateTime }}, ${rego}`,
    body: `The booking of {{ customer.name | default: "a customer" }} is cancelled.${reach}`,
  },
} as const satisfies DefaultTexts;
