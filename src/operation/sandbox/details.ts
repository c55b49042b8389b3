/** The descriptions of this folder's operations below their first paragraph: a list in Markdown, an item each. */

export const listSandboxMessagesDetails = [
  '`GET /sandbox/messages` shows what was accepted; `outcome=refused` shows the rest. A phone in `to` without country ' +
    'code is read as Australian. `since` and `at` are business time.',
  '`encoding`, `segments` and `cost` are those of an SMS, and null for an e-mail. `cost` is null unless ' +
    '`SANDBOX_SMS_SEGMENT_PRICE` gives the price of a segment.',
] as const;

export const readSandboxConversationDetails = [
  '`GET /sandbox/conversation?phone=` has the SMS to a phone, of all workshops, refused ones too, and what was answered: ' +
    "the newest hundred of each, oldest first. An answer's `to` is the workshop's name, since the number that it was sent " +
    'to is not stored.',
] as const;

export const answerAsCustomerDetails = [
  '`POST /sandbox/inbound` is as if a gateway had brought an SMS, each call a new one. `to` may be what a workshop sends ' +
    'from, a name too.',
] as const;

export const advanceClockDetails = [
  '`POST /sandbox/clock` moves the business clock forward, ten years in all; `DELETE` takes all moves back, as `pitlane ' +
    'clock reset` does. Processes follow within a second.',
] as const;
