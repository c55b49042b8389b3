/**
 * WHAT FOLLOWS FROM WHAT ON ONE PAGE: each kind of event, and the planners that write what follows. Every event that has an action
 * is published to its partners' webhooks besides (`webhooks/actions.ts`).
 */
import { queueOldMessages } from '#adoption/plan.ts';
import type { Reactions } from '#events/reaction.ts';
import { tellOfBookedCalls } from '#leads/plan.ts';
import { notifyBoth, notifyCustomer, notifyOfNewDate } from '#notifications/plan.ts';
import { scheduleReminders } from '#reminders/schedule/plan.ts';
import { settleRemindersOfMessages } from '#reminders/settle/plan.ts';
import { withPublication } from '#webhooks/publish.ts';

export const reactions: Reactions = withPublication({
  'booking.created': [notifyBoth, tellOfBookedCalls],
  'booking.updated': [notifyOfNewDate],
  'booking.confirmed': [notifyCustomer],
  'booking.cancelled': [notifyBoth],
  'booking.completed': [scheduleReminders],
  'callLead.created': [],
  'callLead.updated': [],
  'callLead.missed': [],
  'serviceReminder.scheduled': [],
  'serviceReminder.sent': [],
  'serviceReminder.failed': [],
  'serviceReminder.booked': [],
  'serviceReminder.cancelled': [],
  'quote.requested': [],
  'quote.quoted': [],
  'quote.accepted': [],
  'quote.declined': [],
  'quote.expired': [],
  /** The schedule reports answers to the workshop in digests: `enqueueInboxDigests` in work.ts. */
  'message.received': [],
  /** Written by processes of the release before alone. */
  'message.queued': [queueOldMessages],
  'message.accepted': [settleRemindersOfMessages],
  'message.delivered': [settleRemindersOfMessages],
  'message.failed': [settleRemindersOfMessages],
  'customer.optedOut': [],
  'customer.optedIn': [],
});
