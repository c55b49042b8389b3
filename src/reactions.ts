/** WHAT FOLLOWS FROM WHAT ON ONE PAGE: each kind of event, and the planners that write what follows. */
import { queueOldMessages } from '#adoption/plan.ts';
import {
  automateCancelled,
  automateCompleted,
  automateConfirmed,
  automateCreated,
  automateMissedCall,
  automateMoved,
} from '#campaigns/automations/plan.ts';
import type { Reactions } from '#events/reaction.ts';
import { tellOfBookedCalls } from '#leads/plan.ts';
import { notifyBoth, notifyCustomer, notifyCustomerOfNewDate } from '#notifications/plan.ts';

export const reactions: Reactions = {
  'booking.created': [notifyBoth, tellOfBookedCalls, automateCreated],
  'booking.updated': [notifyCustomerOfNewDate, automateMoved],
  'booking.confirmed': [notifyCustomer, automateConfirmed],
  'booking.cancelled': [notifyBoth, automateCancelled],
  'booking.completed': [automateCompleted],
  'callLead.created': [],
  'callLead.updated': [],
  'callLead.missed': [automateMissedCall],
  /** The schedule reports answers to the workshop in digests: `enqueueInboxDigests` in work.ts. */
  'message.received': [],
  /** Written by processes of the release before alone. */
  'message.queued': [queueOldMessages],
  'message.accepted': [],
  'message.delivered': [],
  'message.failed': [],
  'customer.optedOut': [],
  'customer.optedIn': [],
};
