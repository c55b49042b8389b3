/** Plans the notices of an event (document, 4.1 and 4.2; decisions, section 4, Notifications). */
import type { Planner } from '#events/reaction.ts';
import { enqueue, type NewMessage } from '#sending/enqueue.ts';
import { textOfNotice, variablesOf } from './compose.ts';
import { messagesTo } from './messages.ts';
import type { NoticeLog } from './render.ts';
import { type EventNotices, readNotices } from './store.ts';

function planner(audiences: { readonly workshop: boolean; readonly newDateOnly: boolean }): Planner {
  return async (tx, events, { clock, config, log }) => {
    const told = await readNotices(tx, { eventIds: events.map(({ id }) => id), ...audiences });
    const messages = told.flatMap((event) => messagesOf(event, log));
    const options = { now: clock.now(), exemptCountries: config.optOutExemptCountries };
    await enqueue(tx, messages, options);
  };
}

function messagesOf(event: EventNotices, log: NoticeLog): NewMessage[] {
  const { booking } = event;
  const variables = variablesOf(event);
  const of = { kind: 'bookingNotice', subjectId: booking.id, customerId: booking.customerId } as const;
  return messagesTo({ ...event, ...of, bookingId: booking.id }, (way) =>
    textOfNotice(event, way, log, variables),
  );
}

/** Customer and workshop, SMS and e-mail each. */
export const notifyBoth = planner({ workshop: true, newDateOnly: false });
/** The customer, SMS and e-mail. */
export const notifyCustomer = planner({ workshop: false, newDateOnly: false });
/** The customer, SMS and e-mail, when the booking has moved to another date. */
export const notifyCustomerOfNewDate = planner({ workshop: false, newDateOnly: true });
