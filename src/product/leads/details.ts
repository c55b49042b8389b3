/** The descriptions of this folder's operations below their first paragraph: a list in Markdown, an item each. */

export const recordCallDetails = [
  "**An `externalId` that the workshop's call has** updates that call, of this partner. Required fields are sent again; " +
    'of the optional ones those that are not sent stay, and `null` clears. An update that changes nothing is 200 with the ' +
    'present call. Without an `externalId` each request is another call; `Idempotency-Key` is for repeats.',
  '**`callLead.missed`** is recorded once, beside the first event of the call whose outcome is `missed`. When a booking ' +
    "becomes a call's `bookingId`, `callLead.updated` follows, and the call has a new `updatedAt`.",
  '`recordingUrl` is an absolute `http` or `https` address of up to 2,048 characters, without a user name; ' +
    '`durationSeconds` is 0 to 86,400; `calledAt` may lie ahead, since clocks differ.',
] as const;

export const getCallLeadDetails = [
  '**customerId and bookingId** are found by the phone whenever a call is read, so they are there in the commit that ' +
    'makes the customer or the booking. `customerId` stays null for a partner that has nothing of its own with that ' +
    "customer. A call makes no customer. An erased person's calls keep both.",
] as const;

export const listCallLeadsDetails = [
  '**The list** is ordered by `calledAt`, newest first; `from` ≤ `calledAt` < `to`.',
] as const;
