/**
 * WHAT FOLLOWS FROM WHAT ON ONE PAGE: each kind of event, and the planners that write what follows. Every event that has an action
 * is published to its partners' webhooks besides (`webhooks/actions.ts`).
 */
import { queueOldMessages } from '#adoption/plan.ts';
import type { Reactions } from '#events/reaction.ts';
import { tellOfBookedCalls } from '#leads/plan.ts';
import { notifyBoth, notifyCustomer, notifyCustomerOfNewDate } from '#notifications/plan.ts';
import { notifyOfQuote } from '#notifications/quotes/plan.ts';
import { withPublication } from '#webhooks/publish.ts';

export const reactions: Reactions = withPublication({
  'booking.created': [notifyBoth, tellOfBookedCalls],
  'booking.updated': [notifyCustomerOfNewDate],
  'booking.confirmed': [notifyCustomer],
  'booking.cancelled': [notifyBoth],
  'booking.completed': [],
  'quote.requested': [notifyOfQuote],
  'quote.quoted': [notifyOfQuote],
  'quote.accepted': [notifyOfQuote],
  'quote.declined': [notifyOfQuote],
  'quote.expired': [],
  'callLead.created': [],
  'callLead.updated': [],
  'callLead.missed': [],
  /** The schedule reports answers to the workshop in digests: `enqueueInboxDigests` in work.ts. */
  'message.received': [],
  /** Written by processes of the release before alone. */
  'message.queued': [queueOldMessages],
  'message.accepted': [],
  'message.delivered': [],
  'message.failed': [],
  'customer.optedOut': [],
  'customer.optedIn': [],
});
