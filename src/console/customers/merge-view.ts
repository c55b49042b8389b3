/** The pages of a merge: finding the other customer, and comparing both before the button. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDate } from '#base/values/local-time.ts';
import { button, buttons, facts, field, hidden, linkButton } from '#platform/pages/components.ts';
import { countOf, type MergeCounts } from '#product/customers/merge/store.ts';
import type { FoundCustomer } from '#product/customers/search/find.ts';
import type { CustomerRecord } from '#product/customers/store.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { changeForm, refusal } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { carShown, emailShown, nameShown, phoneLink, textShown } from '../frame/masked.ts';
import { moreLetters } from '../frame/search-turn.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { followedByForm } from './open.ts';

export interface Side {
  readonly customer: CustomerRecord;
  readonly counts: MergeCounts;
}

export const readSide = async (
  { context, workshop }: WorkshopVisit,
  customer: CustomerRecord,
): Promise<Side> => ({
  customer,
  counts: await countOf(context.db, workshop.workshopId, customer.customerId),
});

const head = (visit: WorkshopVisit, name: string | null) =>
  html`<h1>Merge ${nameShown(name, visit.workshop)}</h1>`;
const place = { title: 'Merge two customers', current: 'Customers' } as const;

export function findPage(
  visit: WorkshopVisit,
  of: {
    readonly customer: CustomerRecord;
    readonly path: string;
    readonly q: string;
    readonly others: readonly FoundCustomer[];
    /** False: more letters are needed to find all. */
    readonly isWhole: boolean;
  },
): ConsolePage {
  const { workshop } = visit;
  const { customer, path, q, others, isWhole } = of;
  const item = ({ customerId, name, phone, cars }: FoundCustomer) =>
    html`<li><p><a href="${path}/merge?with=${customerId}">${nameShown(name, workshop)}</a> ${phoneLink(phone, workshop)}</p><p class="quiet">${cars.map((car) => carShown(car, workshop)).join(', ')}</p></li>`;
  return {
    ...place,
    main: html`<div class="stack narrow">${head(visit, customer.name)}<p>With whom? Find the other, who is the same customer.</p>
<form class="card" method="get" action="${path}/merge" role="search" aria-label="The other customer">${field({ name: 'q', id: 'other', label: 'Name, phone, registration or code', value: q, max: 100, isUnmarked: true })}${buttons(button('Find the other', 'quiet'), linkButton('Back', path, 'quiet'))}</form>
${isWhole ? null : moreLetters}${q === '' ? null : others.length === 0 ? html`<p class="card quiet">Nobody else is found.</p>` : html`<ul class="card stack">${others.map(item)}</ul>`}</div>`,
  };
}

export function bothPage(
  visit: WorkshopVisit,
  of: {
    readonly one: Side;
    readonly two: Side;
    readonly path: string;
    readonly refused: Refused | null;
    readonly changes: SafeHtml | null;
  },
): ConsolePage {
  const { one, two, path, refused, changes } = of;
  const [kept, gone] = one.customer.customerId < two.customer.customerId ? [one, two] : [two, one];
  const why = whyNot(one.customer, two.customer);
  const hasOptedOut = [kept, gone].some(({ customer }) => customer.optedOutAt !== null);
  const followed = followedByForm(one.customer);
  return {
    ...place,
    ...{ ...followed, live: [...(followed.live ?? []), `customer:${two.customer.customerId}` as const] },
    main: html`<div class="stack">${head(visit, one.customer.name)}${refusal(refused, changes)}
<div class="columns">${side(visit, kept, 'Stays')}${side(visit, gone, 'Becomes part of it')}</div>
${
  why === null
    ? html`<section class="card"><p><strong>This can't be undone.</strong> The older customer stays, and what is not known of them comes from the other. The other number stays as a further one.${hasOptedOut ? html` <strong>One of them has opted out of SMS: that holds for both.</strong>` : null}</p>
${changeForm({
  ...{ action: `${path}/merge`, version: one.customer.version },
  body: html`${hidden('with', two.customer.customerId)}${hidden('otherVersion', String(two.customer.version))}${buttons(button('Merge', 'danger'), linkButton('Back', path, 'quiet'))}`,
})}</section>`
    : html`<p class="notice bad">${why}</p>${buttons(linkButton('Back', path, 'quiet'))}`
}</div>`,
  };
}

function whyNot(one: CustomerRecord, two: CustomerRecord): string | null {
  if (one.customerId === two.customerId) return 'This is one customer: choose another.';
  if (two.erasedAt !== null) return 'The data of the other were erased: nobody is merged with them.';
  return one.mergedInto === null && two.mergedInto === null
    ? null
    : 'One of them was merged with somebody before: open that customer, and merge them.';
}

function side(visit: WorkshopVisit, { customer, counts }: Side, title: string): SafeHtml {
  const { workshop } = visit;
  const { name, phone, email, company, tags, optedOutAt, createdAt } = customer;
  const { timezone } = workshop;
  return html`<section class="card stack"><h2>${title}</h2>${facts([
    ['Name', nameShown(name, workshop)],
    ['Phone', phoneLink(phone, workshop)],
    ['E-mail', emailShown(email, workshop)],
    ['Company', company === null ? null : textShown(company, workshop)],
    ['Since', localDate(createdAt, timezone)],
    ['Tags', textShown(tags.join(', '), workshop)],
    ['Bookings', String(counts.bookings)],
    ['Quotes', String(counts.quotes)],
    ['Messages', String(counts.messages)],
    ['Reminders', String(counts.reminders)],
    ['Cars', String(counts.cars)],
    ['Opt-outs', optedOutAt === null ? '0' : `1, since ${localDate(optedOutAt, timezone)}`],
  ])}</section>`;
}
