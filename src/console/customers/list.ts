/** /console/w/{slug}/customers: the latest. */
import { html } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localDate } from '#base/values/local-time.ts';
import { linkButton } from '#platform/pages/components.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { countShown } from '../frame/found.ts';
import { nameShown, phoneLink, textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { listedAtMost, table } from '../lists/table.ts';
import { listLatest } from './store.ts';

export async function listPage(visit: WorkshopVisit): Promise<ConsolePage> {
  const { context, workshop, base, query } = visit;
  const before = query['before'] ?? '';
  const customers = await listLatest(context.db, {
    ...{ workshopId: workshop.workshopId, before: isId(before) ? before : null, limit: listedAtMost },
  });
  await countShown(
    visit,
    customers.map(({ customerId }) => customerId),
  );
  const last = customers.at(-1);
  return {
    title: 'Customers',
    current: 'Customers',
    isWide: true,
    live: ['customer', 'booking'],
    main: html`<div class="head"><h1>Customers</h1><p class="quiet">The latest. Find looks through all of them.</p>${visit.may('correctCustomers') ? html`<p class="buttons">${linkButton('New customer', `${base}/customers/new`, 'quiet')}</p>` : null}</div>${table(
      {
        head: ['Name', 'Phone', 'Cars', 'Tags', 'Since'],
        rows: customers.map(({ customerId, name, phone, regos, tags, optedOut, createdAt }) => [
          html`<a href="${base}/customers/${customerId}">${nameShown(name, workshop)}</a>`,
          phoneLink(phone, workshop),
          regos.join(', '),
          html`${textShown(tags.join(', '), workshop)}${optedOut ? html` <span class="mark bad">✕ Opted out</span>` : null}`,
          localDate(createdAt, workshop.timezone),
        ]),
        next: customers.length < listedAtMost || !last ? null : `${base}/customers?before=${last.customerId}`,
        empty: 'No customer yet.',
      },
    )}`,
  };
}
