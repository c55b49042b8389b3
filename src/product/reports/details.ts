/** The descriptions of this folder's operations below their first paragraph: a list in Markdown, an item each. */

export const getPartnerReportDetails = [
  '**Periods**: bookings, quotes and messages count by `createdAt`, call leads by `calledAt`, reminders by `sentAt`. ' +
    '`from` and `to` are required, from 1900 to 2199.',
  '**Present states**: `bookings…` have their status of now, `callLeadsBooked` are calls that have a `bookingId` by now, ' +
    '`quotesAccepted` and `remindersBooked` have that status.',
  "**Messages** are the SMS that carry the partner's id: its own messages, its service reminders, and the texts of " +
    "automations and blasts that it triggered. Notices of bookings and quotes are the workshop's, and not counted. " +
    '`messagesSent` were accepted by a gateway (`sms.sent`), whatever became of them, and `smsSegments` are theirs; ' +
    '`messagesDelivered` have a delivery report that says so; `messagesFailed` are `failed`, `undelivered` or `expired`, so ' +
    'one that was accepted and did not arrive is in both. One of unknown outcome is in none of the three.',
  '**Groups**: every period from `from` to `to`, a first and last week or month cut by them, and with `groupBy=workshop` ' +
    'every linked workshop, by id; without `groupBy` one group, `total`. A link that is off hides nothing: the report is ' +
    'about what was done.',
  "**Retention**: what was deleted is not counted any more; an erased person's bookings and messages are.",
  '**Age**: what was done in the last ten seconds may be missing, where the installation reads reports from a replica.',
  '**Accept**: by quality, JSON where both rank alike. What takes neither gets JSON, not 406. Refusals are JSON.',
] as const;
