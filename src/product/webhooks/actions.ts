/** EACH ACTION ON ONE PAGE: the events that publish it, and the key of its object in a body (specification: Webhooks 2). */
import type { bookingRecord } from '#product/bookings/record.ts';
import type { callRecord } from '#product/leads/record.ts';
import { quoteRecord } from '#product/quotes/record.ts';
import { reminderRecord } from '#product/reminders/record.ts';

type AnyOfThem = typeof bookingRecord | typeof callRecord | typeof quoteRecord | typeof reminderRecord;

interface Action {
  /** The kinds of events, including those of domains that do not exist yet. */
  readonly events: readonly string[];
  /** The key of the object, in the event's payload and in the body. */
  readonly key: AnyOfThem['name'] | 'message' | 'customer';
}

export const actions = {
  bookingCreate: { events: ['booking.created'], key: 'booking' },
  bookingUpdated: { events: ['booking.updated'], key: 'booking' },
  bookingConfirmed: { events: ['booking.confirmed'], key: 'booking' },
  bookingCompleted: { events: ['booking.completed'], key: 'booking' },
  bookingCancelled: { events: ['booking.cancelled'], key: 'booking' },
  messageReceived: { events: ['message.received'], key: 'message' },
  messageDelivered: { events: ['message.delivered'], key: 'message' },
  messageFailed: { events: ['message.failed'], key: 'message' },
  customerOptedOut: { events: ['customer.optedOut'], key: 'customer' },
  quoteUpdated: { events: quoteRecord.events, key: quoteRecord.name },
  /** `callLead.missed` is written in addition to one of these. */
  callLeadUpdated: { events: ['callLead.created', 'callLead.updated'], key: 'callLead' },
  serviceReminderUpdated: { events: reminderRecord.events, key: reminderRecord.name },
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof actions;
export const actionNames = Object.keys(actions) as ActionName[];

/** The action of `POST /webhooks/{id}/test`; no endpoint subscribes to it. */
export const testAction = 'test';

/** The action that an event of this kind publishes; null for none. */
export function actionOf(eventKind: string): ActionName | null {
  return actionNames.find((name) => (actions[name].events as readonly string[]).includes(eventKind)) ?? null;
}
