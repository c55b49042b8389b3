/** Mutations that the tests have to notice: each breaks one rule of the product, and `npm run mutants` runs the test that must fail then. */

export interface Mutant {
  /** Its patch is `test/mutants/NAME.patch`. */
  readonly name: string;
  /** What it breaks. */
  readonly rule: string;
  /** The cheapest file that has to fail with it. */
  readonly test: string;
}

const of = (name: string, rule: string, test: string): Mutant => ({ name, rule, test });

export const mutants: readonly Mutant[] = [
  of(
    'money-rounded-down',
    'The total of a line is rounded half up, to whole cents (specification: Quotes 4)',
    'src/product/quotes/lines.test.ts',
  ),
  of(
    'money-last-line-alone',
    'A quote is the sum of all its lines (specification: Quotes 4)',
    'src/product/quotes/lines.test.ts',
  ),
  of('quote-expires-by-machine', 'A quote expires by the business clock', 'src/product/quotes/life.test.ts'),
  of(
    'stop-ignored-when-claimed',
    'Who has opted out gets no SMS that was queued before (specification: Opting out)',
    'src/product/notifications/opt-out.test.ts',
  ),
  of(
    'ask-ignored-when-claimed',
    'What was queued before a customer may have asked for no more texts is not sent (specification: Opting out 8)',
    'src/product/messaging/inbound/marks/marks.test.ts',
  ),
  of(
    'stop-inside-a-sentence',
    'Only a whole message is an opt-out word (specification: Opting out 2)',
    'src/product/messaging/inbound/opt-words.test.ts',
  ),
  of(
    'stop-lost-by-merge',
    'The opt-out of either customer is that of both when they are merged',
    'src/product/customers/merge/merge.test.ts',
  ),
  of(
    'owner-alone-opts-in',
    'Opting in again, merging, erasing and settings are for owners',
    'src/product/people/permissions.test.ts',
  ),
  of(
    'texts-without-the-switch',
    'Who may not text words no texts, whatever the role',
    'src/product/people/permissions.test.ts',
  ),
  of(
    'booking-of-another-partner',
    'A partner reads its own bookings alone',
    'src/product/bookings/read.test.ts',
  ),
  of(
    'gate-without-link',
    'A partner acts at the workshops that it is linked to',
    'src/product/workshops/access/tenancy.test.ts',
  ),
  of(
    'report-of-all-partners',
    'A report counts the rows of its partner alone',
    'src/product/reports/counted.test.ts',
  ),
  of(
    'answer-to-another-number',
    'An SMS belongs to a workshop that has the number which it came to',
    'src/product/messaging/inbound/receive.test.ts',
  ),
  of(
    'bay-too-many',
    'A slot has as many bookings as bays (specification: Availability)',
    'src/product/bookings/place-races.test.ts',
  ),
  of(
    'function-goes-back',
    'A release that was rolled back keeps the later edition of a function',
    'src/platform/db/functions/functions.test.ts',
  ),
  of('limit-one-too-many', 'A daily limit is never exceeded', 'src/product/bookings/place-races.test.ts'),
  of(
    'offer-counts-ended',
    'A booking that ends when a slot begins does not take its bay',
    'src/product/availability/taken.test.ts',
  ),
  of(
    'place-kept-when-cancelled',
    'A cancelled booking releases its place',
    'src/product/availability/taken.test.ts',
  ),
  of(
    'cancelled-comes-back',
    'A completed booking stays completed (specification: Status of a booking)',
    'src/product/bookings/status.test.ts',
  ),
  of(
    'series-out-of-order',
    'A later notice of a series waits for the earlier ones',
    'src/product/sending/series.test.ts',
  ),
  of(
    'overtaken-notice-sent',
    'A notice is not sent after a later one of its series',
    'src/product/sending/series.test.ts',
  ),
  of('paused-blast-sent', 'A blast that is paused sends nothing', 'src/product/sending/hold/held.test.ts'),
  of(
    'blast-twice-to-merged',
    'A merged customer gets one text of a blast',
    'src/product/campaigns/blasts/merged.test.ts',
  ),
  of(
    'lost-lease-finishes',
    'An attempt that lost its lease settles nothing',
    'src/product/sending/lease/lease.test.ts',
  ),
  of(
    'lost-webhook-lease-finishes',
    'An attempt of a delivery that lost its lease changes nothing',
    'src/product/webhooks/deliveries/retries.test.ts',
  ),
  of(
    'key-for-another-body',
    'An Idempotency-Key with another body is refused (specification: Idempotency)',
    'src/platform/idempotency/replay.test.ts',
  ),
  of(
    'key-of-another-partner',
    "An Idempotency-Key is its partner's own (specification: Idempotency)",
    'src/platform/idempotency/replay.test.ts',
  ),
  of(
    'if-match-ignored',
    'If-Match with another version changes nothing',
    'src/product/bookings/status.test.ts',
  ),
  of(
    'six-texts-a-second',
    'A customer gets five messages of partners a second (specification: Limits)',
    'src/product/messaging/rate-limit.test.ts',
  ),
  of(
    'one-attempt-more',
    'A source has as many attempts as its quota',
    'src/product/people/codes/codes.test.ts',
  ),
  of(
    'page-change-uncounted',
    'Changes on pages are counted for their address',
    'src/product/booking-page/bounds.test.ts',
  ),
  of(
    'day-ceiling-exceeded',
    'The SMS of a day stay within their ceiling',
    'src/product/sending/limits/store.test.ts',
  ),
  of(
    'webhook-retried-for-ever',
    'A delivery has failed after its last pause (specification: Webhooks 4)',
    'src/product/webhooks/deliveries/retries.test.ts',
  ),
  of(
    'signature-without-time',
    'A webhook is signed with its time (specification: Webhooks 3)',
    'src/product/webhooks/deliver.test.ts',
  ),
  of('quiet-a-minute-longer', 'Quiet hours end at their last minute', 'src/base/values/quiet-hours.test.ts'),
  of(
    'closing-in-the-first-hour',
    'A closing time that clocks show twice is the later one',
    'src/base/values/local-day.test.ts',
  ),
  of(
    'erased-text-kept',
    'An erasure removes the texts to the customer',
    'src/operation/erasure/erase-customer.test.ts',
  ),
  of(
    'undo-by-anybody',
    'Only who made a change undoes it (specification: Taking a change back)',
    'src/product/bookings/undo/refused.test.ts',
  ),
  of(
    'undo-over-later-change',
    'A change that another followed is not undone',
    'src/product/bookings/undo/refused.test.ts',
  ),
  of(
    'way-out-by-first-sender',
    'A text says "Reply STOP" only where every gateway that may send brings the answer (specification: Opting out 5)',
    'src/product/way-out/way-out.test.ts',
  ),
  of(
    'way-out-taken-back-later',
    'An opt-out by link is not taken back over what came since (specification: Opting out 6)',
    'src/product/way-out/way-out.test.ts',
  ),
  of(
    'answers-counted-as-sent',
    'A report counts what was sent, not what was received',
    'src/product/reports/workshop/counted.test.ts',
  ),
  of(
    'import-fault-swallowed',
    'An imported row with a wrong number is a fault, not a row without it',
    'src/product/imports/import.test.ts',
  ),
  of(
    'import-damage-swallowed',
    'A value that a spreadsheet has damaged is a fault, not a row without it (specification: Imports 14)',
    'src/product/imports/damage.test.ts',
  ),
  of(
    'import-number-of-another',
    'A customer without a phone gets that of another of their name from no file that had phone numbers (specification: Imports 15)',
    'src/product/imports/numbers-later.test.ts',
  ),
];
