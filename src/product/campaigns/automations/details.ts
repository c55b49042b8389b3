/** The descriptions of this folder's operations below their first paragraph: a list in Markdown, an item each. */

export const triggerAutomationDetails = [
  '**Any automation can be triggered**, whatever its own trigger is: due `offsetMinutes` from the call, with ' +
    '`beforeBooking` before the named booking, which is required then (400). A paused one answers a run that is `skipped` ' +
    'for `paused`.',
  '**Ten runs an hour** of one automation for one customer by calls, then 429 with `RateLimit` and `Retry-After`, also ' +
    'for several partners together. Repeats of a `referenceId` do not count.',
  '**`referenceId`** of a run belongs to partner, automation and customer, like that of a message. A run that failed is ' +
    'not sent again by a repeat. An `Idempotency-Key` is taken too.',
  '**What a run is judged by** is the moment when it is due: the automation is active, the booking is not cancelled (for ' +
    '`bookingCreated`, `bookingConfirmed`, `beforeBooking`), has not moved or ended (`beforeBooking`), the conditions hold, ' +
    'the template is published, and a partner that triggered it still may (else `notPermitted`). A scheduled blast whose ' +
    'partner may not trigger it any more when it is due is paused; one that has begun goes on until staff pause it. What ' +
    'comes due during a pause is skipped and not made up for.',
  "**`minDaysSinceLastBooking`** counts from the date of the customer's last other booking that is not cancelled, also " +
    "one that lies ahead; a customer without one meets it. **`serviceCategories`** asks the booking's category or those of " +
    'its services; without a booking it is not met.',
  '**`beforeBooking`** has one run for each booking and date. A move plans the new date where a text was waiting for the ' +
    'old one, or where the move notifies the customer. A run whose time is past when it is planned is `skipped` for ' +
    '`tooLate`, and so is one that could only be sent in quiet hours or after the booking began. Bookings from before the ' +
    'automation get none.',
  '**`callMissed`**: the caller becomes a customer. A call that is recorded more than a day after it took place triggers ' +
    'none.',
  '**Runs** that have ended are kept for `PITLANE_NOTICES_KEPT_DAYS` from when they ended.',
] as const;
