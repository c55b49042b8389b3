/** The descriptions of this folder's operations below their first paragraph: a list in Markdown, an item each. */

export const createBookingDetails = [
  '**A booking whose date is past** is refused for none of this, neither when it is made nor when it is moved there.',
  '**`alternatives`** of `060003` are starts of slots after the wished instant, as if slots were enforced, also where ' +
    'only a daily limit is. Empty where none is free within 14 days.',
  '**`reminderCode`** takes any notation of the code (lower case, hyphens, O for 0, I and L for 1). It has to be of this ' +
    'partner and this workshop, not booked and not cancelled; the customer may be another one, as families share cars. The ' +
    'refusal comes with those of phone and catalogue. Of two bookings with one code one is made. A booking that is ' +
    'cancelled later gives the code not back.',
  '**Required** are workshopId, carRego, bookingTime, customerName, customerPhone, customerEmail: both notices need an ' +
    'address.',
  '**Customer**: found by phone within the workshop, else made. Their row takes the name and e-mail sent, and the company ' +
    'when one is sent. The first word of the name, without `,`, `;` and `:` at its end, is firstName, the rest lastName; one word leaves lastName null.',
  "**Car**: found by customer and rego, else made. The workshop's own row follows the details sent last, whoever sent " +
    'them.',
  '**Order of refusals**: body (400, which names a bad phone too), workshop (404), link (403), then phone and services ' +
    'together (400).',
  '**services** keep their order. `catalogId` comes before `catalogCode`; codes are compared exactly. An item of the ' +
    'catalogue takes everything from there but a sent `cost`, nulls too. Services that are no longer on offer are unknown: ' +
    '400 by `catalogId`, a custom item by `catalogCode`. A `source` that is sent is ignored.',
  '**A custom item** is kept as sent. Its `category` may be any word of yours; no daily limit holds for other words than ' +
    'the four.',
  '**serviceCategory**, where none is sent, is that of the first service that has one of the four, else `others`; null ' +
    'without services. It follows the services until a request names one.',
  '**The catalogue** counts as it is when the booking is written: an import holds for every booking that is made after ' +
    'it. What it says later changes no booking.',
  'Dates in the past are accepted: partners import history. Notices are sent for them too; use `skipNotification`. With ' +
    "`Pitlane-Strict: on` a `bookingTime` before the workshop's present day without `skipNotification: true` is 400 " +
    '`000001`; what an `Idempotency-Key` replays is replayed.',
  'A workshop that is unknown or not linked is 404 `030001`, after the fields were checked as far as they can be without ' +
    'its country.',
] as const;

export const getBookingDetails = [
  '`customer` in the response shows the contact details of this booking. Its `address`, `postcode` and `suburb` are ' +
    'always null: no request carries them, and what a workshop knows is not shown to partners.',
  '`car` shows the details (year, make, model, badge, VIN) that this partner sent with this booking. Those not sent are ' +
    'filled, one by one, from the latest booking of this car by the same partner that has any. Later bookings change ' +
    'nothing of an earlier one. What another partner sent of the same car is neither shown nor changed.',
  "**Bookings from before** this rule shared their car's details. Where no other partner ever booked the car, they keep " +
    'them; else they show none, since it is not recorded who sent what. Those have a new version.',
  '**Earlier bookings**, from before there was a catalogue, have custom items alone, with a null `category` or `title` ' +
    'where none was sent.',
] as const;

export const updateBookingDetails = [
  '**A change** of date, services or category takes a place as a new booking does; other changes leave it. What the ' +
    'booking has already is not counted against it: a slot that it is in and a limit that it counts under on that day never ' +
    'refuse it, also where the workshop has fewer bays by now. Changed services at an unchanged date keep the start of the ' +
    'place, whatever the hours say by now; only slots that are new to it must be free, and it must be done by closing time.',
  'Editable: date, serviceCategory, services, carRego, customerName, customerPhone, customerEmail, customerCompany, ' +
    'notes, interval, pickupTime, servicePackageType, jobNotes, productNotes, tyreQuantities. Not editable: workshopId, ' +
    'externalId, car details, status, which has its own operation.',
  'Only fields whose value differs count as changes. An update that changes nothing is 200 with the present booking: same ' +
    'version, same `updatedAt`, no event, nobody notified. The same instant written with another offset is no change.',
  '`null` clears serviceCategory, services, notes, interval, pickupTime, servicePackageType, jobNotes, productNotes, ' +
    'tyreQuantities and customerCompany. For date, carRego, customerName, customerPhone and customerEmail it is 400.',
  '**Order of refusals**: body (400, which names a bad phone too), booking (404), link (403), phone and services together ' +
    '(400), `If-Match` (412), status (409 `060004`).',
  'Lists are replaced whole.',
  "**services**: an item that equals one of the booking's stays as it is stored, whatever the catalogue says by now; each " +
    'stored one counts once. Equal means `catalogCode`, `title`, `category`, `cost` and `maxCost`, and `catalogId`, `icon` ' +
    'and `color` where they are sent. Any other item is filled as on creation.',
  '**serviceCategory** that no request has named follows changed services. `null` takes a named one back.',
  'In a completed or cancelled booking fields other than notes, jobNotes and productNotes are refused (409 `060004`, ' +
    'which names them) only when they would change: a client may send the whole booking back.',
  '**A new customerPhone** finds or makes that customer and moves the booking to them. The car goes along when no other ' +
    "booking uses it and the new customer has none of that rego; else the new customer's car of that rego is found or made.",
  "**A new carRego** finds or makes that car of the customer. The booking then shows what this partner's latest booking " +
    'of that car has, not the details of the car before. With a new customerPhone alone the details stay, and those that ' +
    "are absent are filled likewise when the new customer's car of that rego is another one.",
  "The customer's row follows a changed name, e-mail and company. Clearing the company on a booking leaves the row as it " +
    'is.',
  '`updatedAt` rises with every change, by a millisecond at least, also when the clock stands still.',
  '**If-Match** takes one or more tags or `*`. Proxies that compress change the `ETag` of an answer: `W/"3"` and `"3-gzip"` ' +
    '(also `-br`, `-zstd`, `-deflate`) name version 3 as `"3"` does.',
  'A switched-off link refuses updates (403 `000004`) and allows reads.',
] as const;

export const listBookingsDetails = [
  'Newest created first, in the order of their ids: these are made in the order of creation. `from` ≤ `date` < `to`; a ' +
    '`to` before `from` is 400. `externalId` is trimmed as on creation. A `workshopId` that the partner is not linked to is ' +
    '404 `030001`; one whose link is off is no hindrance.',
  '**With `updatedSince`** the list is a feed in the order in which changes became visible. Other filters hold as the ' +
    'bookings are now, so one that is moved out of them does not show. `nextCursor` is never null. Each booking shows at ' +
    'the place of its latest change, so a poller sees the last state of each, not each state.',
  'The feed ends before the oldest change that is still being committed, in whatever database of the PostgreSQL server: a ' +
    'change shows once all that began before it have ended. A page looks at 10,000 changes at most; where filters leave few ' +
    'of them it is short, or empty, and its cursor goes on.',
  'After a restore or a failover of the database, earlier positions mean nothing: an earlier cursor is accepted, and the ' +
    'feed begins again at `updatedSince`. Changes that it showed before may appear again; none is left out. Where ' +
    "PostgreSQL's files were replaced by older ones, the feed goes on from where its reader had come when they were copied, " +
    'if the cursor still tells so, else it begins again too.',
  "A feed's cursor is encrypted: what it goes by, the number of a transaction, would tell how much the whole installation " +
    'does. Other cursors name the last item that was shown, and nothing else. Where nothing is new, `nextCursor` is the ' +
    'cursor that was sent. Cursors of earlier releases go on working. One whose key was dropped begins again.',
] as const;

export const setBookingStatusDetails = [
  '`POST /bookings/{id}/{status}`. The word is judged first (400), then body (400), booking (404), link (403), `If-Match` ' +
    '(412), transition (409 `060002`).',
  'The status that the booking has already is 200 and changes nothing: same version, same `updatedAt`, no event, nobody ' +
    'notified; a `reason` with it is not kept.',
  '`reason` is trimmed, may have several lines, and is kept as `cancelReason` of a cancellation alone. With another ' +
    'status it is checked and not kept.',
  'The body may be empty, whatever content type is named for it, chunked too. `Idempotency-Key` is not taken: a repeat ' +
    'changes nothing anyway.',
  'The workshop gives the same statuses, to bookings of every partner, also ' +
    "of one whose link is off. Their events are the partner's as if it had done so itself. The workshop is not notified of " +
    'what it did itself.',
] as const;
