/** /console/w/{slug}/quotes: quotes that wait for a price, the longest waiting first; or quotes in another state. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { type Html, linkButton } from '#platform/pages/components.ts';
import { amountText } from '#platform/pages/texts.ts';
import { titlesOf } from '#product/catalogue/item.ts';
import { type QuoteStatus, quoteStatuses } from '#product/quotes/schema.ts';
import { type ListedQuote, listWorkshopQuotes } from '#product/quotes/staff/store.ts';
import { page } from '../frame/console-page.ts';
import { countShown } from '../frame/found.ts';
import { nameShown, textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { listedAtMost, table } from '../lists/table.ts';
import { quoteMark, sinceText } from './facts.ts';

const filters: Readonly<Record<QuoteStatus, readonly [name: string, column: string, empty: string]>> = {
  requested: ['To price', 'Waits', 'No quote waits for a price.'],
  quoted: ['Sent', 'Valid until', 'No quote waits for an answer.'],
  accepted: ['Accepted', 'Accepted', 'None was accepted.'],
  declined: ['Declined', 'Declined', 'None was declined.'],
  expired: ['Expired', 'Valid until', 'None has expired.'],
};

export const quoteList = page('quotes', 'seeQuotes', async (visit) => {
  const { context, workshop, base, query } = visit;
  const status = quoteStatuses.find((each) => each === query['filter']) ?? 'requested';
  const after = query['after'] ?? '';
  const quotes = await listWorkshopQuotes(context.db, {
    ...{ workshopId: workshop.workshopId, status, limit: listedAtMost },
    after: isId(after) ? after : null,
  });
  await countShown(
    visit,
    quotes.map(({ customerId }) => customerId),
  );
  const [name, column, empty] = filters[status];
  const last = quotes.at(-1);
  const hasTotal = status !== 'requested';
  return {
    title: status === 'requested' ? 'Quotes' : `Quotes: ${name}`,
    current: 'Quotes',
    isWide: true,
    rules: '.when { display: inline-block; min-width: 9rem; }',
    live: ['quote', 'customer', ...(status === 'requested' ? (['clock'] as const) : [])],
    main: html`<div class="head"><h1>Quotes</h1>${filterLinks(base, status)}${visit.may('wordTexts') ? html`<p class="buttons">${linkButton('New quote', `${base}/quotes/new`, 'quiet')}</p>` : null}</div>${table(
      {
        head: ['Wanted', column, ...(hasTotal ? ['Total'] : []), 'Customer', 'Car', 'From'],
        rows: quotes.map((quote) => [
          html`<a href="${base}/quotes/${quote.id}">${textShown(titlesOf(quote.services).join(', '), workshop) || quote.code}</a>`,
          html`<span class="when">${whenOf(visit, quote, status)}</span>`,
          ...(hasTotal ? [quote.total === null ? '' : amountText(quote.total, workshop.country)] : []),
          html`<a href="${base}/customers/${quote.customerId}">${nameShown(quote.name, workshop)}</a>`,
          quote.rego,
          quote.partner ?? 'own',
        ]),
        next:
          quotes.length < listedAtMost || !last
            ? null
            : `${base}/quotes?${new URLSearchParams({ ...(status !== 'requested' && { filter: status }), after: last.id })}`,
        empty,
      },
    )}`,
  };
});

function filterLinks(base: string, chosen: QuoteStatus): SafeHtml {
  return html`<p class="buttons">${quoteStatuses.map((status) => html`<a class="button ${status === chosen ? 'primary' : 'quiet'}" href="${base}/quotes${status === 'requested' ? '' : `?filter=${status}`}"${status === chosen ? html` aria-current="true"` : null}>${filters[status][0]}</a>`)}</p>`;
}

/** The time in a row: how long the quote has waited, until when it can be accepted, or when it was answered. */
function whenOf({ context, workshop }: WorkshopVisit, quote: ListedQuote, status: QuoteStatus): Html {
  const { createdAt, validUntil, updatedAt } = quote;
  const now = context.clock.now();
  if (status === 'requested') return sinceText(createdAt, now, workshop.timezone);
  const at = localDateTime(
    status === 'accepted' || status === 'declined' ? updatedAt : (validUntil ?? updatedAt),
    workshop.timezone,
  );
  // It has expired, and the scheduled job has not marked it yet.
  return status === 'quoted' && validUntil !== null && validUntil <= now
    ? html`${at} ${quoteMark('expired')}`
    : at;
}
