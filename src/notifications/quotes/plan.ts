/** Plans the notices of an event of a quote (areas, section 6): SMS and e-mail each, to whom the event says. */

import type { Planner } from '#events/reaction.ts';
import { enqueue } from '#sending/enqueue.ts';
import { actors } from '#values/actor.ts';
import { messagesTo } from '../messages.ts';
import { quoteVariablesOf, textOfQuoteNotice } from './compose.ts';
import { readQuoteNotices } from './store.ts';

export const notifyOfQuote: Planner = async (tx, events, { clock, config, log }) => {
  const told = await readQuoteNotices(
    tx,
    events.map(({ id }) => id),
  );
  const messages = told.flatMap((event) => {
    const { quote, booking } = event;
    const variables = { sms: quoteVariablesOf(event, 'sms'), email: quoteVariablesOf(event, 'email') };
    const of = { kind: 'quoteNotice', subjectId: quote.id, customerId: quote.customerId } as const;
    return messagesTo({ ...event, ...of, bookingId: booking?.id ?? null }, (way) =>
      textOfQuoteNotice(event, way, log, variables[way.channel]),
    );
  });
  await enqueue(tx, messages, {
    now: clock.now(),
    actor: actors.schedule,
    exemptCountries: config.optOutExemptCountries,
  });
};
