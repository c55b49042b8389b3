/** Notices of quotes. */
import { amountText, taxed } from '#platform/pages/texts.ts';
import type { QuoteEventPayload } from '#product/quotes/events.ts';
import { type QuoteVariables, quoteVariables } from '#product/quotes/template-variables.ts';
import type { NoticeEvent } from '../event.ts';
import type { Subject } from '../subject.ts';
import { quoteReads } from './store.ts';
import { quoteTexts } from './texts.ts';

export const quoteSubject: Subject<QuoteEventPayload, QuoteVariables, null> = {
  name: 'quote',
  kind: 'quoteNotice',
  about: { customer: 'your quote', workshop: 'its quotes' },
  texts: quoteTexts,
  reads: quoteReads,
  recordOf: ({ quote: { id, customerId, customer }, booking }) => ({
    ...{ id, customerId, customerPhone: customer.phone },
    bookingId: booking?.id ?? null,
  }),
  variables: ({ payload: { quote, booking = null }, workshop }, channel) =>
    quoteVariables(quote, workshop, channel, booking),
  deskPath: ({ quote: { id } }, slug) => `/console/w/${slug}/quotes/${id}`,
  email(event, { quote, booking, car, workshop, customer }, { audience }) {
    const isOffer = event.kind === 'quote.quoted';
    const isToWorkshop = audience === 'workshop';
    return {
      preview: [quote.total, car.rego, quote.code].filter(Boolean).join(', '),
      action: isOffer && quote.url !== '' ? { label: 'See and answer your quote', url: quote.url } : null,
      facts: [
        ['When', booking?.dateTime ?? ''],
        ['Booking', booking?.code ?? ''],
        ['Car', [car.rego, car.description].filter(Boolean).join(', ')],
        ['Wanted', quote.services],
        ...linesOf(event),
        [taxed('Total', event.workshop.taxLabel), quote.total],
        ['Valid until', isOffer ? quote.validUntil : ''],
        ['Name', isToWorkshop ? customer.name : ''],
        ['Phone', isToWorkshop ? customer.phone : ''],
        ['Notes', quote.notes],
        ['Workshop', workshop.name],
        ['Address', isToWorkshop ? '' : workshop.address],
        ['Quote', quote.code],
      ],
    };
  },
};

function linesOf({
  payload: { quote },
  workshop,
}: Pick<NoticeEvent<QuoteEventPayload>, 'payload' | 'workshop'>): [string, string][] {
  const amount = (value: number) => amountText(value, workshop.country);
  return quote.lines.map(({ title, quantity, unitPrice, total }) => [
    amount(total),
    quantity === 1 ? title : `${title} (${quantity} × ${amount(unitPrice)})`,
  ]);
}
