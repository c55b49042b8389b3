/** Plans the notices of an event (document, 4.1 and 4.2; decisions, section 4, Notifications). */

import { manageCodes } from '#bookings/manage-link/codes.ts';
import { publicUrl } from '#config/public-url.ts';
import type { Planner } from '#events/reaction.ts';
import { enqueue, type NewMessage } from '#sending/enqueue.ts';
import { textOfNotice, variablesOf } from './compose.ts';
import { manageUrl, withManageLink } from './manage-link.ts';
import type { NoticeLog } from './notices.ts';
import { type EventNotices, readNotices } from './store.ts';

function planner(audiences: { readonly workshop: boolean; readonly newDateOnly: boolean }): Planner {
  return async (tx, events, { clock, config, log }) => {
    const told = await readNotices(tx, { eventIds: events.map(({ id }) => id), ...audiences });
    const base = publicUrl(config);
    const toCustomers = told.filter(({ recipients }) => recipients.some(isCustomer));
    const codes =
      base === null
        ? null
        : await manageCodes(
            tx,
            toCustomers.map(({ booking }) => booking.id),
          );
    const urlOf = (bookingId: string) => {
      const code = codes?.get(bookingId);
      return base === null || code === undefined ? null : manageUrl(base, code);
    };
    const messages = told.flatMap((event) => messagesOf(event, urlOf(event.booking.id), log));
    const options = { now: clock.now(), exemptCountries: config.optOutExemptCountries };
    await enqueue(tx, messages, options);
  };
}

const isCustomer = ({ audience }: EventNotices['recipients'][number]) => audience === 'customer';

/**
 * One notice for each recipient and channel; those to one recipient go out in the order of the booking's versions. `url` manages
 * the booking: an SMS to the customer ends with it, an e-mail gets it at its hand-over. Null: the public address is not known.
 */
function messagesOf(event: EventNotices, url: string | null, log: NoticeLog): NewMessage[] {
  const { eventId, workshopId, booking, version, recipients } = event;
  const variables = variablesOf(event);
  return recipients.map((to) => {
    const { audience, channel, recipient } = to;
    const hasLink = url !== null && channel === 'sms' && isCustomer(to);
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
      body: hasLink ? withManageLink(body, url) : body,
      seriesId: booking.id,
      seriesNumber: version,
    };
  });
}

/** Customer and workshop, SMS and e-mail each. */
export const notifyBoth = planner({ workshop: true, newDateOnly: false });
/** The customer, SMS and e-mail. */
export const notifyCustomer = planner({ workshop: false, newDateOnly: false });
/** When the booking has moved to another date: the customer, SMS and e-mail, and the workshop when the customer has moved it. */
export const notifyOfNewDate = planner({ workshop: true, newDateOnly: true });
