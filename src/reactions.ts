/**
 * WHAT FOLLOWS FROM WHAT ON ONE PAGE: each kind of event, and the planners that write what follows. Every event that has an action
 * is published to its partners' webhooks besides (`webhooks/actions.ts`). `notify` notifies customer and workshop, as far as the event says so
 * and its subject has texts for them (`notifications/subjects.ts`).
 */

import type { Reactions } from '#platform/events/reaction.ts';
import {
  automateCancelled,
  automateCompleted,
  automateConfirmed,
  automateCreated,
  automateMissedCall,
  automateMoved,
  automateSentReminder,
} from '#product/campaigns/automations/plan.ts';
import { keepSearched } from '#product/customers/search/keep.ts';
import { tellOfBookedCalls } from '#product/leads/plan.ts';
import { notify } from '#product/notifications/plan.ts';
import { scheduleReminders } from '#product/reminders/schedule/plan.ts';
import { settleRemindersOfMessages } from '#product/reminders/settle/plan.ts';
import { withPublication } from '#product/webhooks/publish.ts';

const findOfBooking = keepSearched('booking');
const findOfQuote = keepSearched('quote');
const findOfReminder = keepSearched('service_reminder');
const findOfMessage = keepSearched('message');

export const reactions: Reactions = withPublication({
  'booking.created': [findOfBooking, notify, tellOfBookedCalls, automateCreated],
  'booking.updated': [findOfBooking, notify, automateMoved],
  'booking.confirmed': [findOfBooking, notify, automateConfirmed],
  'booking.cancelled': [findOfBooking, notify, automateCancelled],
  'booking.completed': [findOfBooking, scheduleReminders, automateCompleted],
  /** The workshop's own event: it has no action, so partners get no webhook. */
  'booking.carReady': [notify],
  'callLead.created': [],
  'callLead.updated': [],
  'callLead.missed': [automateMissedCall],
  'serviceReminder.scheduled': [findOfReminder],
  'serviceReminder.sent': [findOfReminder, automateSentReminder],
  'serviceReminder.failed': [findOfReminder],
  'serviceReminder.booked': [],
  'serviceReminder.cancelled': [],
  'quote.requested': [findOfQuote, notify],
  'quote.quoted': [notify],
  'quote.accepted': [notify],
  'quote.declined': [notify],
  'quote.expired': [],
  /** The schedule reports answers to the workshop in digests: `enqueueInboxDigests` in work.ts. */
  'message.received': [findOfMessage],
  'message.accepted': [findOfMessage, settleRemindersOfMessages],
  'message.delivered': [settleRemindersOfMessages],
  'message.failed': [findOfMessage, settleRemindersOfMessages],
  'message.noticeFailed': [],
  /** It has no action: partners are not told what a workshop knows of a customer. */
  'customer.corrected': [],
  'customer.optedOut': [],
  'customer.optedIn': [],
});
