/** /console/w/{slug}/quotes: the list of quotes, one quote with its price, and its forms. */
import { change, page, type WorkshopRoute } from '../frame/console-page.ts';
import { accept, askAccept } from './accept.ts';
import { askDecline, decline } from './decline.ts';
import { quoteList } from './list.ts';
import { askNew, make } from './new.ts';
import { draftOwn } from './own.ts';
import { draft, price } from './price.ts';
import { showQuote } from './show.ts';

export const quoteRoutes: readonly WorkshopRoute[] = [
  quoteList,
  page('quotes/new', 'changeBookings', askNew),
  change('quotes/new', 'changeBookings', make),
  change('quotes/new/draft', 'wordTexts', draftOwn),
  page('quotes/:id', 'seeQuotes', showQuote),
  change('quotes/:id/draft', 'wordTexts', draft),
  change('quotes/:id/price', 'wordTexts', price),
  page('quotes/:id/accept', 'changeBookings', askAccept),
  change('quotes/:id/accept', 'changeBookings', accept),
  page('quotes/:id/decline', 'changeBookings', askDecline),
  change('quotes/:id/decline', 'changeBookings', decline),
];
