/** The descriptions of this folder's operations below their first paragraph: a list in Markdown, an item each. */

export const createQuoteDetails = [
  '`skipNotification` suppresses the notice of the request alone. Later notices follow from what the workshop and the ' +
    'customer do.',
  'Services are filled from the catalogue when the quote is requested, and booked as they were then, also where the ' +
    "catalogue has changed since. Details of the car that the request leaves out come from the partner's own earlier " +
    'booking of the car, as for a booking.',
  'A quote that was declined or has expired can be asked for again on its page: another request of the same partner for ' +
    'the same customer, car, work, notes and `externalId`, once in 24 hours. The workshop gets its notice, and the request ' +
    'counts among what a visitor triggers.',
] as const;

export const getQuoteDetails = [
  '`validUntil` is that number of times 24 hours after the pricing. From then on nothing can be done with the quote; its ' +
    'status follows within seconds.',
  'A quantity has at most three decimals, a price two; the total is at most 9,999,999.99. `url` is the address that was ' +
    'sent last; null where the service knows no public address.',
  "Accepting needs an offered time, whether the workshop enforces availability or not. The booking belongs to the quote's " +
    "partner and has its services, notes and `externalId`; the customer gets the booking's notice, the workshop one notice " +
    'of both. Two answers at once: the first counts, the other is shown the state of the quote. An answer to a price that ' +
    'the workshop has changed meanwhile changes nothing (409): the page shows the new one.',
  'The workshop may decline a quote that it has priced, too. It gets no notice of that, nor does the customer: the event ' +
    'tells the partner.',
  "The workshop may accept a quote for a customer who says yes on the phone: the same booking of the quote's partner, " +
    'with the same events. It needs an offered time unless somebody wants it anyway, with a reason that no answer, webhook ' +
    'or feed shows.',
  'The workshop may make a quote of a call. It is a request of the partner whose call it was, who gets `quote.requested` ' +
    'and sees it in its lists; its `externalId` is null, and its customer may have no e-mail address.',
  'A link that is off, or a suspended partner: the page shows the quote, and refuses to answer it (403). The page of an ' +
    'erased customer is gone (404).',
  'A customer who has opted out of SMS gets the e-mail alone.',
  'Events are `quote.requested`, `quote.quoted` (each time that it is priced), `quote.accepted`, `quote.declined`, ' +
    '`quote.expired`, each with the quote as it was then.',
] as const;
