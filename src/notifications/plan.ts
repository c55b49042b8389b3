/** Plans the notices of an event (document, 4.1 and 4.2; decisions, section 4, Notifications). */

import { manageCodes } from '#bookings/manage-link/codes.ts';
import { publicUrl } from '#config/public-url.ts';
import type { Planner } from '#events/reaction.ts';
import { enqueue, type NewMessage } from '#sending/enqueue.ts';
import { actors } from '#values/actor.ts';
import { textOfNotice, variablesOf } from './compose.ts';
import { manageUrl, withManageLink } from './manage-link.ts';
import { messagesTo } from './messages.ts';
import type { NoticeLog } from './render.ts';
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
    const options = {
      now: clock.now(),
      actor: actors.schedule,
      exemptCountries: config.optOutExemptCountries,
    };
    await enqueue(tx, messages, options);
  };
}

const isCustomer = ({ audience }: EventNotices['recipients'][number]) => audience === 'customer';

/** `url` manages the booking: an SMS to the customer ends with it, an e-mail gets it at its hand-over. Null: the public address is not known. */
function messagesOf(event: EventNotices, url: string | null, log: NoticeLog): NewMessage[] {
  const { booking } = event;
  const variables = { sms: variablesOf(event, 'sms'), email: variablesOf(event, 'email') };
  const of = { kind: 'bookingNotice', subjectId: booking.id, customerId: booking.customerId } as const;
  return messagesTo({ ...event, ...of, bookingId: booking.id }, (way) => {
    const text = textOfNotice(event, way, log, variables[way.channel]);
    const hasLink = url !== null && way.channel === 'sms' && way.audience === 'customer';
    return hasLink ? { ...text, body: withManageLink(text.body, url) } : text;
  });
}

/** Customer and workshop, SMS and e-mail each. */
export const notifyBoth = planner({ workshop: true, newDateOnly: false });
/** The customer, SMS and e-mail. */
export const notifyCustomer = planner({ workshop: false, newDateOnly: false });
/** When the booking has moved to another date: the customer, SMS and e-mail, and the workshop when the customer has moved it. */
export const notifyOfNewDate = planner({ workshop: true, newDateOnly: true });
