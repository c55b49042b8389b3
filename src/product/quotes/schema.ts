/** Wire shapes of quotes. */
import { type Static, Type } from 'typebox';
import {
  anyText,
  email,
  instant,
  nullable,
  out,
  phone,
  ref,
  text,
  times,
  word,
} from '#platform/http/fields.ts';
import { pageQuery } from '#platform/http/paging.ts';
import { neededItems, ServiceItem } from '#product/catalogue/item.ts';
import { partOf } from '#product/orders/field.ts';
import { carFields, orderFields } from '#product/orders/fields.ts';
import { Car, Customer } from '#product/orders/schema.ts';

export const quoteStatuses = ['requested', 'quoted', 'accepted', 'declined', 'expired'] as const;
export type QuoteStatus = (typeof quoteStatuses)[number];

export const CreateQuoteBody = Type.Object({
  workshopId: text({ description: 'The workshop, from GET /workshops.' }),
  customerName: text({ description: 'First name, then the rest.', examples: ['Sam Taylor'] }),
  customerPhone: phone({ description: "Any form that is valid in the workshop's country." }),
  customerEmail: email({ description: 'Where the quote goes.', examples: ['sam@example.com'] }),
  carRego: text({
    max: 32,
    of: 'spaced',
    description: 'Registration; stored in upper case without white space.',
    examples: ['ABC123'],
  }),
  services: neededItems,
  ...partOf(orderFields, 'body'),
  ...partOf(carFields, 'body'),
  skipNotification: Type.Optional(
    Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description: 'True: the workshop is not notified of this request.',
    }),
  ),
});
export type CreateQuoteBody = Static<typeof CreateQuoteBody>;

export const ListQuotesQuery = Type.Object({
  workshopId: Type.Optional(anyText({ description: 'Of one workshop only.' })),
  status: Type.Optional(word(quoteStatuses, { description: 'In this status only.', examples: ['quoted'] })),
  externalId: Type.Optional(anyText({ description: 'With this reference of yours only.' })),
  updatedSince: Type.Optional(
    instant({
      description:
        'Quotes created or changed at this instant or later, as a feed: in the order in which the changes became visible. ' +
        'Its `nextCursor` is never null: keep it, and ask with it for what changed since.',
    }),
  ),
  ...pageQuery,
});
export type ListQuotesQuery = Static<typeof ListQuotesQuery>;

const QuoteLine = Type.Object(
  {
    title: out.string('What it is.'),
    quantity: out.number('How many, or how much.'),
    unitPrice: out.number("The price of one, in the currency of the workshop's country."),
    total: out.number({ description: 'quantity × unitPrice, rounded half up to cents.' }),
  },
  { $id: 'QuoteLine', description: 'A line of a priced quote.' },
);
export type QuoteLine = Static<typeof QuoteLine>;

export const Quote = Type.Object(
  {
    id: out.uuid({ description: "The quote's reference for every later call." }),
    code: out.string({
      description: "Ten characters without look-alikes: the end of the customer's link.",
      examples: ['7K3M9QXW2P'],
    }),
    workshopId: out.uuid('The workshop.'),
    customerId: out.uuid('The customer.'),
    carId: out.uuid('The car.'),
    bookingId: nullable(out.uuid({ description: 'The booking that accepting it made.' })),
    externalId: nullable(out.string('Your own reference.')),
    car: ref(Car),
    customer: ref(Customer),
    status: word(quoteStatuses, { description: 'Where it stands.' }),
    services: out.list(ref(ServiceItem), 'What a price was asked for.'),
    notes: nullable(out.string('What the customer wants the workshop to know.')),
    lines: out.list(ref(QuoteLine), 'The prices; empty until it is priced.'),
    total: nullable(
      out.number({
        description:
          "The sum of the lines, in the currency of the workshop's country; null until it is priced.",
      }),
    ),
    message: nullable(out.string({ description: "The workshop's words to the customer." })),
    validUntil: nullable(out.instant('Until when it can be accepted; null until it is priced.')),
    url: nullable(
      out.string({
        description:
          "The customer's page. Null until it is priced, and where the service knows no public address of its own.",
      }),
    ),
    ...times,
  },
  { $id: 'Quote', description: 'A request for a price, and the price.' },
);
export type Quote = Static<typeof Quote>;

const QuoteAnswer = Type.Object(
  { success: out.success(true), quote: ref(Quote) },
  { $id: 'QuoteAnswer', description: 'The quote as it is now.' },
);
export type QuoteAnswer = Static<typeof QuoteAnswer>;
export const QuoteAnswerRef = ref(QuoteAnswer);

export const quoteComponents = [QuoteLine, Quote, QuoteAnswer];
