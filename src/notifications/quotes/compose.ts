/** The text of a quote's notice, made when it is enqueued, and its e-mail, made at its hand-over. */

import type { OutboundEmail } from '#gateways/email/gateway.ts';
import { amountText, taxed } from '#pages/texts.ts';
import { type QuoteVariables, quoteVariables } from '#quotes/template-variables.ts';
import type { EmailComposer, StoredMessage } from '#sending/compose.ts';
import type { Channel } from '#sending/kinds.ts';
import { type NoticeText, templateOf, type Way, withTemplate } from '../compose.ts';
import { noticeEmailOf } from '../email.ts';
import { noticeName } from '../notices.ts';
import { closingOf, type NoticeLog, renderNotice } from '../render.ts';
import { type QuoteEvent, readQuoteEvent } from './store.ts';
import { quoteNotices } from './texts.ts';

export const quoteVariablesOf = (
  { quote, workshop, booking }: QuoteEvent,
  channel: Channel,
): QuoteVariables => quoteVariables(quote, workshop, channel, booking);

/** Filled with the values of the event, also when the quote has changed since. */
export function textOfQuoteNotice(
  event: QuoteEvent,
  way: Way,
  log: NoticeLog,
  variables = quoteVariablesOf(event, way.channel),
): NoticeText<QuoteVariables> {
  const template = templateOf(event, way);
  const rendered = renderNotice(
    {
      id: event.eventId,
      name: noticeName({ eventKind: event.kind, ...way }),
      channel: way.channel,
      texts: quoteNotices,
      templateSubject: template?.subject ?? null,
      templateBody: template?.body ?? null,
      variables,
    },
    log,
  );
  return withTemplate(rendered, template);
}

/** The e-mail of a queued notice: its text, and the facts of its event. Null when the event was purged. */
export const quoteEmail: EmailComposer = async ({ db, config }, message) => {
  const event = message.causeId === null ? null : await readQuoteEvent(db, message.causeId);
  return event && emailOfQuote(event, message, config.mailUnsubscribe);
};

export function emailOfQuote(
  event: QuoteEvent,
  {
    id,
    audience,
    recipient,
    subject,
    body,
    templateId,
  }: Omit<StoredMessage, 'kind' | 'channel' | 'workshopId' | 'causeId'>,
  unsubscribe: string | null,
): OutboundEmail {
  const variables = quoteVariablesOf(event, 'email');
  const { quote, car, workshop, ...rest } = variables;
  const isOffer = audience === 'customer' && event.kind === 'quote.quoted' && quote.url !== '';
  const name = noticeName({ eventKind: event.kind, audience, channel: 'email' });
  return noticeEmailOf(
    {
      ...{ id, recipient, audience, subject: subject ?? '', body, calendar: null },
      workshop: { ...workshop, colour: event.workshop.colour },
      // A text of the workshop's own may have the address in its words.
      actions:
        isOffer && !body.includes(quote.url) ? [{ label: 'See and answer your quote', url: quote.url }] : [],
      closing: templateId === null ? closingOf(quoteNotices, name, variables) : '',
      phones: new Map([
        [rest.customer.phone, event.quote.customer.phone ?? ''],
        [workshop.phone, event.workshop.phone],
      ]),
      preview: [quote.total, car.rego, quote.code].filter(Boolean).join(', '),
      facts: [
        ['When', rest.booking?.dateTime ?? ''],
        ['Booking', rest.booking?.code ?? ''],
        ['Car', [car.rego, car.description].filter(Boolean).join(', ')],
        ['Wanted', quote.services],
        ...linesOf(event),
        [taxed('Total', event.workshop.taxLabel), quote.total],
        ['Valid until', event.kind === 'quote.quoted' ? quote.validUntil : ''],
        ...(audience === 'workshop' ? contactOf(rest.customer) : []),
        ['Notes', quote.notes],
        ['Workshop', workshop.name],
        ['Address', audience === 'customer' ? workshop.address : ''],
        ['Quote', quote.code],
      ],
      about: { customer: 'your quote', workshop: 'its quotes' },
    },
    unsubscribe,
  );
}

function linesOf({ quote, workshop }: QuoteEvent): [string, string][] {
  const amount = (value: number) => amountText(value, workshop.country);
  return quote.lines.map(({ title, quantity, unitPrice, total }) => [
    amount(total),
    quantity === 1 ? title : `${title} (${quantity} × ${amount(unitPrice)})`,
  ]);
}

const contactOf = ({ name, phone }: QuoteVariables['customer']): [string, string][] => [
  ['Name', name],
  ['Phone', phone],
];
