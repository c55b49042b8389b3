/** /console/w/{slug}/find?q=: customers by registration, phone, name or a booking's code. The box of every page shows this page's list. */
import { html } from '@remix-run/html-template';
import { InvalidInput } from '#base/operator-error.ts';
import { findAsTyped, foundAtMost } from '#product/customers/search/find.ts';
import { readSearchState } from '#product/customers/search/store.ts';
import { type ConsolePage, page, type WorkshopRoute } from '../frame/console-page.ts';
import { countShown } from '../frame/found.ts';
import { inSearchTurn } from '../frame/search-turn.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { results } from './view.ts';

async function find(visit: WorkshopVisit): Promise<ConsolePage> {
  const { workshop, query } = visit;
  const q = query['q'] ?? '';
  const page = { title: q === '' ? 'Find' : `Find: ${q}`, current: 'Customers' } as const;
  if (q === '')
    return {
      ...page,
      main: html`<h1>Find</h1><p class="card">Type a registration, a name${workshop.seesPhones ? ', a phone or e-mail' : ''} or a booking's code into the box above. Parts of them do.</p>`,
    };
  try {
    const live = ['customer', 'booking'] as const;
    return { ...page, live, main: html`<h1>Find</h1><div class="card">${await foundBy(visit, q)}</div>` };
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    const said = error.errors.map(({ message }) => `What you look for ${message}.`).join(' ');
    return { ...page, isRefusal: true, main: html`<h1>Find</h1><p class="notice bad refused">${said}</p>` };
  }
}

async function foundBy(visit: WorkshopVisit, q: string) {
  const { context, workshop } = visit;
  const { db, clock } = context;
  const { workshopId, seesPhones } = workshop;
  const sought = { workshopId, q, limit: foundAtMost, seesPhones, now: clock.now() };
  const [found, { isFilled }] = await inSearchTurn(visit, () =>
    Promise.all([findAsTyped(db, sought), readSearchState(db)]),
  );
  await countShown(
    visit,
    found.customers.map(({ customerId }) => customerId),
  );
  const notFilled = isFilled
    ? null
    : html`<p class="notice">Customers from before the last upgrade are still being prepared: some are not found yet.</p>`;
  return results(visit, found, notFilled);
}

export const findRoutes: readonly WorkshopRoute[] = [page('find', 'seeCustomers', find)];
