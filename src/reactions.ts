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
import { tellOfBookedCalls } from '#product/leads/plan.ts';
import { notify } from '#product/notifications/plan.ts';
import { scheduleReminders } from '#product/reminders/schedule/plan.ts';
import { settleRemindersOfMessages } from '#product/reminders/settle/plan.ts';
import { withPublication } from '#product/webhooks/publish.ts';

export const reactions: Reactions = withPublication({
  'booking.created': [notify, tellOfBookedCalls, automateCreated],
  'booking.updated': [notify, automateMoved],
  'booking.confirmed': [notify, automateConfirmed],
  'booking.cancelled': [notify, automateCancelled],
  'booking.completed': [scheduleReminders, automateCompleted],
  /** The workshop's own: it has no action, so partners do not hear of it. */
  'booking.carReady': [notify],
  'callLead.created': [],
  'callLead.updated': [],
  'callLead.missed': [automateMissedCall],
  'serviceReminder.scheduled': [],
  'serviceReminder.sent': [automateSentReminder],
  'serviceReminder.failed': [],
  'serviceReminder.booked': [],
  'serviceReminder.cancelled': [],
  'quote.requested': [notify],
  'quote.quoted': [notify],
  'quote.accepted': [notify],
  'quote.declined': [notify],
  'quote.expired': [],
  /** The schedule reports answers to the workshop in digests: `enqueueInboxDigests` in work.ts. */
  'message.received': [],
  'message.accepted': [settleRemindersOfMessages],
  'message.delivered': [settleRemindersOfMessages],
  'message.failed': [settleRemindersOfMessages],
  /** It has no action: partners are not told what a workshop knows of a customer. */
  'customer.corrected': [],
  'customer.optedOut': [],
  'customer.optedIn': [],
});
