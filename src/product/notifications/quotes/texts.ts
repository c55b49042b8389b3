/** The default texts of notices of quotes, by the notice's name. An SMS has at most two segments. */
import { goodbye, greeting, signature, who } from '../phrases.ts';
import type { DefaultTexts } from '../subject.ts';

const reach = 'You can reach {{ customer.name }} on {{ customer.phone }} or {{ customer.email }}.';
/** `2019 Toyota Corolla (1AB2CD)` */
const car =
  '{% if car.description != "" %}{{ car.description }} ({{ car.rego }}){% else %}{{ car.rego }}{% endif %}';
const money = '{{ quote.total }}, valid until {{ quote.validUntil }}';
const answer =
  '{% if quote.url != "" %}Accept or decline: {{ quote.url }}{% else %}To accept it, call {{ workshop.phone }}{% endif %}';

export const quoteTexts = {
  'quoteRequested.workshop.sms': {
    body: `New quote request {{ quote.code }} for {{ car.rego }}: {{ quote.services | shorten: 80 | sentence }} ${who}`,
  },
  'quoteRequested.workshop.email': {
    subject: 'New quote request {{ quote.code }}: {{ car.rego }}, {{ quote.services | shorten: 80 }}',
    body: `{{ customer.name }} asks for a quote. ${reach}`,
  },
  'quoteQuoted.customer.sms': {
    body: `${signature}: your quote for {{ car.rego }} is ${money}. ${answer}`,
  },
  'quoteQuoted.customer.email': {
    subject: 'Your quote from {{ workshop.name }}: {{ quote.total }}',
    body: `${greeting}This is your quote for ${car}.{% if quote.message != "" %}\n\n{{ quote.message }}{% endif %}`,
    closing: goodbye,
  },
  'quoteAccepted.workshop.sms': {
    body: `Quote {{ quote.code }} accepted ({{ quote.total }}): booking {{ booking.code }} for {{ car.rego }} on {{ booking.dateTime }}, ${who}`,
  },
  'quoteAccepted.workshop.email': {
    subject: 'Quote {{ quote.code }} accepted: {{ booking.dateTime }}, {{ car.rego }}',
    body: `{{ customer.name }} has accepted the quote and booked {{ booking.dateTime }}. ${reach}`,
  },
  'quoteDeclined.workshop.sms': {
    body: `Quote {{ quote.code }} declined ({{ quote.total }}): {{ car.rego }}, ${who}`,
  },
  'quoteDeclined.workshop.email': {
    subject: 'Quote {{ quote.code }} declined: {{ quote.total }}, {{ car.rego }}',
    body: `{{ customer.name }} has declined the quote. ${reach}`,
  },
} as const satisfies DefaultTexts;
