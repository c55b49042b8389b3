/** The descriptions of this folder's operations below their first paragraph: a list in Markdown, an item each. */

export const createServiceReminderDetails = [
  '**Checks** are those of a message, in its order: workshop, feature and flags, phone or customer, booking (404 ' +
    "`060001`, 400 `060001` for another customer's), rate. A scheduled one is checked likewise and uses nothing of the " +
    'rate.',
  '**`Idempotency-Key`** is kept on the reminder, for its partner, workshop and customer: the same key for another ' +
    "customer is another reminder, and it has nothing to do with a message's `referenceId`. A repeat of one that is " +
    'scheduled, or was cancelled, answers with it as it is, `sms` null; of one that was sent with the first outcome, ' +
    '`Idempotent-Replayed: true`. One that failed without an SMS, when it fell due, is answered as `failed` and not sent ' +
    'again. Once its SMS is no longer kept (`PITLANE_MESSAGES_KEPT_DAYS`), a repeat answers with the reminder as it is, ' +
    '`sms` null.',
  '**`sendAt`** that is not ahead sends at once, as its absence does. `dueDate` is when it was or is to be sent: the ' +
    '`sendAt` that lies ahead, else when it was made.',
  '**`success: false`** is 201 all the same: the reminder is there, `failed`. An unknown outcome is `failed` too; when a ' +
    'report or the gateway proves later that the SMS went out, it becomes `sent`.',
  '**`/r/{code}`** fills in the rego, the kind of work and the code, greets by first name and car, and has nothing else ' +
    'of the person, since whoever has the code may see it. A first name with three digits in a row is taken for a phone, ' +
    'and not shown. A used or cancelled code leads to the page without it. Wrong codes are bounded as those of manage links ' +
    'are.',
  '**A page that was opened by `/r/{code}`** books without the code once it was used or cancelled, as its next opening ' +
    'would.',
] as const;

export const getServiceReminderDetails = [
  '**customer and car** are kept as they were known when the reminder was made: a `customerName` that is sent, else this ' +
    "partner's latest booking of the customer, else the customer's row as far as this partner told it; what another partner " +
    "sent is not shown. The phone is the customer's. `carRego` finds or makes the customer's car; without it the car is " +
    'that of the last booking.',
  '**When one falls due** it is checked again: it fails when the link, the feature or the inbox is off, the partner ' +
    'suspended, the customer erased or opted out. One that waits for longer than a day for a gateway fails. Its SMS is not ' +
    'repeated when its outcome stays unknown: once no more is tried it is `failed`, and the partner gets `messageFailed` ' +
    'with the state `unknown` once more; a report that comes after all makes it `sent`.',
  '**How to stop it** stands at the end: "Reply STOP to end", or a link where the sender is a name or brings no answers. Where ' +
    'neither works (`noWayOut`) nothing is sent. One that falls due between 20:00 and 08:00 local waits; `dueDate` stays.',
  '**Answers** to a reminder count for its partner, as those to a message do.',
] as const;

export const listServiceRemindersDetails = [
  '**`reminderMonths`**: months by the calendar (31 August and six months is the last of February), 10:00 in the ' +
    "workshop's zone. None when the car has a booking with a later date that is not cancelled, whoever made it; one whose " +
    "car gets such a booking before it is due becomes `cancelled` when it falls due. The workshop's own bookings schedule " +
    "none, as a reminder is a partner's.",
] as const;

export const cancelServiceReminderDetails = [
  '**Cancel** takes the id or the code, needs a link that is on, and is refused (409 `080002`) a second time and once the ' +
    'SMS is under way.',
] as const;
