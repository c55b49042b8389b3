/** WHAT FOLLOWS FROM WHAT ON ONE PAGE: each kind of event, and the planners that turn it into jobs. */
import type { Reactions } from '#events/reaction.ts';
import { notifyBoth, notifyCustomer, notifyCustomerOfNewDate } from '#notifications/plan.ts';

export const reactions: Reactions = {
  'booking.created': [notifyBoth],
  'booking.updated': [notifyCustomerOfNewDate],
  'booking.confirmed': [notifyCustomer],
  'booking.cancelled': [notifyBoth],
  'booking.completed': [],
  'message.accepted': [],
  'message.failed': [],
};
