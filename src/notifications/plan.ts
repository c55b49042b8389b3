/** Plans the notices of an event (document, 4.1 and 4.2; decisions, section 4, Notifications). */
import type { Planner } from '#events/reaction.ts';
import { enqueue, type NewMessage } from '#sending/enqueue.ts';
import { textOfNotice, variablesOf } from './compose.ts';
import type { NoticeLog } from './notices.ts';
import { type EventNotices, readNotices } from './store.ts';

function planner(audiences: { readonly workshop: boolean; readonly newDateOnly: boolean }): Planner {
  return async (tx, events, { clock, config, log }) => {
    const told = await readNotices(tx, { eventIds: events.map(({ id }) => id), ...audiences });
    const messages = told.flatMap((event) => messagesOf(event, log));
    const options = { now: clock.now(), exemptCountries: config.optOutExemptCountries };
    await enqueue(tx, messages, options);
  };
}

/** One notice for each recipient and channel; those to one recipient go out in the order of the booking's versions. */
function messagesOf(event: EventNotices, log: NoticeLog): NewMessage[] {
  const { eventId, workshopId, booking, version, recipients } = event;
  const variables = variablesOf(event);
  return recipients.map(({ audience, channel, recipient }) => {
    const { subject, body, template } = textOfNotice(event, { audience, channel }, log, variables);
    return {
      kind: 'bookingNotice',
      workshopId,
      channel,
      audience,
      recipient,
      customerId: audience === 'customer' ? booking.customerId : null,
      bookingId: booking.id,
      template,
      causeId: eventId,
      subject: channel === 'email' ? subject : null,
      body,
      seriesId: booking.id,
      seriesNumber: version,
    };
  });
}

/** Customer and workshop, SMS and e-mail each. */
export const notifyBoth = planner({ workshop: true, newDateOnly: false });
/** The customer, SMS and e-mail. */
export const notifyCustomer = planner({ workshop: false, newDateOnly: false });
/** The customer, SMS and e-mail, when the booking has moved to another date. */
export const notifyCustomerOfNewDate = planner({ workshop: false, newDateOnly: true });
