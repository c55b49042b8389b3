/** The descriptions of this folder's operations below their first paragraph: a list in Markdown, an item each. */

export const sendMessageDetails = [
  '**Order of checks**: token, body, workshop (404), feature (403 `000003`), link and inbox (403 `000004`), phone (400) ' +
    "or customer (404), booking (404, then 400 for another customer's), template (400), rate (429), referenceId (but see " +
    'there). Of several faults the first is returned. A refusal writes nothing.',
  '`customerId` wins over `phone`, which is then not even looked at. `bookingId` must be a booking of this partner.',
  'Both `message` and `templateId`, or neither: 400. Counting segments includes templates after they are filled.',
  '**Segments** are counted as carriers do: 160 characters of the SMS alphabet, 153 in each of several; those of its ' +
    'extension table (`€ [ ] { } ^ | ~ \\`, form feed) count twice. One character outside it: 70, and 67 in each of several; ' +
    'one beyond the basic plane (an emoji) counts twice. No pair lies across two segments, so the count may be one more ' +
    'than the length says, and than Kannel sends, which cuts emoji. A link starts a new segment where it would be cut and that costs none.',
  '**A phone that nobody has** makes a customer, with the phone as name until a booking brings one. In a template for ' +
    'such a phone `customer.name` and `customer.phone` are that phone and the other fields of the customer empty. A ' +
    'template that speaks of `booking` or `car` without `bookingId` is 400.',
  "With a booking, `customer.*` in a template is the booking's contact details. Without, it is those of your own latest " +
    "booking of the customer, else the workshop's own; when they came from another partner, no more than the phone.",
  '**referenceId** is unique per partner, workshop and customer, for good. A call that was sent replays its outcome, ' +
    'whatever the body says now: the booking and the template that it names are not looked at, so a template may be a draft ' +
    'by then. Body, workshop, feature, customer and rate are: a replay counts, and a replay with an invalid body is 400.',
  'A call that failed is attempted again, as the same message with the same `messageId`, to the same number. It sends ' +
    "**the new call's text** (with its `templateId` and `bookingId`) when the attempt before has failed for certain. It " +
    'sends **the first text** when the outcome of that attempt is unknown, also when the gateway has just said that it does ' +
    'not have it, or when an attempt before it may have arrived: no customer gets two texts under one referenceId.',
  "Two calls at once send once; the second waits for the first's outcome, 30 seconds at most, then 409 `000009`.",
  '**Unknown outcome**: no response from the gateway within 10 seconds, or a process that died (noticed after 15 ' +
    "seconds). The next call with the referenceId asks the gateway; only where it does not have the message, or can't be " +
    'asked, is it sent again. Then the attempt carries `repeatsUnknown` if it may have arrived twice. While a gateway that ' +
    'can be asked gives no response, nothing is sent: the call returns `unknownOutcome` once more, and the next one asks ' +
    'again.',
  '**Reasons** (`sms.reason`): `optedOut`, `mayHaveOptedOut` (of service reminders alone: the customer may have asked for no more texts, and the workshop has not ' +
    'decided), `refused`, `temporarilyRefused`, `invalidNumber`, `gatewayUnavailable`, ' +
    '`unknownOutcome`, `countryNotAllowed`, `premiumRate`, `dailyCeiling`, `noWayOut` (of reminders); null when it was sent. `sms.message` is for ' +
    "people. It and `detail` hold the carrier's reason, but not why a gateway can't be used: that is the operator's to " +
    'read.',
  "**The operator's limits**, against SMS that are sent for the profit of their recipients: premium-rate numbers get no " +
    'SMS (`premiumRate`); numbers of countries that the operator has not named get none, where any are named, nor do ' +
    'numbers without a country, such as those of satellite phones, unless the operator has named their calling code ' +
    '(`countryNotAllowed`; by the number, not the workshop); after its daily ceiling a partner or workshop gets no more ' +
    '(`dailyCeiling`). They are asked last, just before the gateway, by messages, replies, confirmations and notices alike. ' +
    'A message is 200 with `success: false` and may be repeated; a notice ends `failed`, a booking is never refused, and ' +
    'none is a dead letter. Ceilings count SMS that were handed over (one each, however many segments; not what the gateway ' +
    "certainly refused) in a day of UTC, by the database's clock: it is the operator's bill, which follows no business " +
    'clock. No ceiling is ever passed; where one has room and another none, an SMS that comes in the same moment may be ' +
    'refused too.',
  "**No gateway free.** A message waits for a gateway's permit for 3 seconds at most. When no gateway gives one, because " +
    'it is busy or its circuit breaker is open, the response is 200 with `gatewayUnavailable`; nothing was handed over, and ' +
    'a retry by referenceId attempts it again.',
  "Without a referenceId the response's `referenceId` is null.",
  "An opted-out customer's message is kept as failed, with no attempt; no gateway is asked. `optedOut` is also the reason " +
    "where the carrier keeps a list of its own and refuses for it; then the customer's own record stays as it is, so that " +
    'SMS go again as soon as the carrier lets them.',
  'An SMS whose hand-over had begun when the opt-out was recorded is sent, for 10 seconds at most. Every later attempt, ' +
    'retries too, checks the opt-out in the statement that starts it.',
] as const;

export const getMessageDetails = [
  'A message from a template has `templateVersion`: which version of it was rendered, from 1. Each change of a template ' +
    'makes one; `templateId` always sends the present one.',
  '**GET /workshops/{id}/messages/{messageId}** shows messages that this partner sent, also when the link is off. It has ' +
    'the state and every attempt; delivery reports change the state there and never an outcome that was returned.',
  '**States** after the hand-over: `accepted`, then `delivered`, `undelivered` or `expired`, which are final.',
  "**`detail`** is the carrier's reason for people, at most 200 characters on one line. Phone numbers, addresses and " +
    'credentials in it are replaced by `…`. Where a carrier says no more than that it failed, the words are ours.',
  '**Events of a message** carry its version, which rises with each change of its state; some versions have no event. ' +
    'They belong to the partner that sent it.',
] as const;
