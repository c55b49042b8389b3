/** /console/w/{slug}/customers/{id}: one customer, with their cars, bookings and messages. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDate } from '#base/values/local-time.ts';
import { button, buttons, facts, field, linkButton } from '#platform/pages/components.ts';
import { findToldOptIn } from '#product/customers/provider-opt-in/store.ts';
import type { CustomerRecord } from '#product/customers/store.ts';
import { doneText } from '../bookings/done.ts';
import { newBookingPath, newQuotePath } from '../find/view.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { changeForm, faultOf, refusal } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { emailShown, nameShown, nameText, phoneLink, textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { customerChangesSince } from './changed.ts';
import { type History, readHistory } from './history/read.ts';
import { bookingsCard, carsCard, otherCards, saidCard } from './history/view.ts';
import { pathOf } from './open.ts';
import { optOutCard, optOutCause } from './opt-out-card.ts';

export const showCustomer = (visit: WorkshopVisit): Promise<ConsolePage> => customerPage(visit, null);

/** `refused`: what was just asked for and not done. */
export async function customerPage(visit: WorkshopVisit, refused: Refused | null): Promise<ConsolePage> {
  const { workshop, query } = visit;
  const history = await readHistory(visit);
  const { customer, optChange } = history;
  const told =
    optChange?.action === 'customer.optedIn'
      ? await findToldOptIn(visit.context.db, workshop.workshopId, customer.customerId)
      : null;
  const changes = await customerChangesSince(visit, customer.customerId, refused);
  // For a form with an outdated version, who made the change is shown above.
  const trail = refused?.isStale ? null : history.trail;
  const frame = {
    current: 'Customers',
    // Hints about the customer's other data carry the customer's id.
    live: [
      ...[customer.customerId, ...history.alsoOf].flatMap(
        (id) => [`customer:${id}`, `message:${id}`] as const,
      ),
      'attendance',
    ],
    version: String(customer.version),
    said: refused === null ? doneText(query['done']) : null,
  } as const;
  if (customer.erasedAt !== null)
    return { ...frame, title: 'Erased customer', main: erased(visit, history, customer.erasedAt, trail) };
  const mayCorrect = visit.may('correctCustomers');
  return {
    ...frame,
    title: `Customer ${customer.name === null ? '' : nameText(customer.name, workshop)}`.trim(),
    main: html`${refusal(refused, changes)}
<h1>${nameShown(customer.name, workshop)}</h1>
<div class="columns"><div class="stack">${warnings(visit, history)}${contact(visit, history, mayCorrect)}${bookingsCard(visit, history)}${saidCard(visit, history)}</div>
<div class="stack">${carsCard(visit, history)}${otherCards(visit, history)}${tags(visit, customer, mayCorrect ? { refused } : null)}${optOutCard(visit, customer, optChange, told)}${trail}</div></div>`,
  };
}

/** The page of an erased customer: bookings as numbers, and the person who erased. */
function erased(visit: WorkshopVisit, history: History, at: Date, trail: SafeHtml | null): SafeHtml {
  return html`<h1>Erased customer</h1>
<div class="columns"><div class="stack"><p class="notice">The data of this customer were erased on ${localDate(at, visit.workshop.timezone)}.</p>${bookingsCard(visit, history)}</div>
<div class="stack">${trail}</div></div>`;
}

function warnings({ workshop }: WorkshopVisit, { customer, held, optChange }: History): SafeHtml | null {
  const { optedOutAt, emailBounce } = customer;
  const { notCome } = held;
  const said = [
    optedOutAt === null
      ? ''
      : `Opted out of SMS on ${localDate(optedOutAt, workshop.timezone)}. ${optOutCause(optChange)}`.trim(),
    emailBounce ? `E-mails come back: ${textShown(emailBounce, workshop)}` : '',
    notCome > 0 ? `Did not come ${notCome === 1 ? 'once' : `${notCome} times`}.` : '',
  ].filter(Boolean);
  return said.length === 0
    ? null
    : html`<ul class="notice">${said.map((each) => html`<li>${each}</li>`)}</ul>`;
}

/** The actions of owners on a customer: each is a page below the customer's, by its path. */
const ownersActions = [
  ['Merge', 'merge'],
  ['Export', 'export'],
  ['Erase', 'erase'],
] as const;

function contact(
  visit: WorkshopVisit,
  { customer, furtherPhones, cars }: History,
  mayCorrect: boolean,
): SafeHtml {
  const { workshop, base } = visit;
  const { customerId, phone, email, company, address, suburb, postcode, createdAt } = customer;
  const place = [address, suburb, postcode].filter(Boolean).join(', ');
  const of = pathOf(visit);
  return html`<section class="card"><h2 class="unseen">Contact</h2>${facts([
    ['Phone', phoneLink(phone, workshop)],
    ...furtherPhones.map((further) => ['Further number', phoneLink(further, workshop)] as const),
    ['E-mail', emailShown(email, workshop)],
    ['Company', company === null ? null : textShown(company, workshop)],
    ['Address', place === '' ? null : textShown(place, workshop)],
    ['Since', localDate(createdAt, workshop.timezone)],
  ])}${buttons(
    visit.may('changeBookings')
      ? linkButton(
          'New booking',
          newBookingPath(base, customerId, cars.length === 1 ? (cars[0]?.rego ?? null) : null),
        )
      : null,
    visit.may('changeBookings') && visit.may('wordTexts')
      ? linkButton('New quote', newQuotePath(base, customerId, cars[0]?.rego ?? null), 'quiet')
      : null,
    mayCorrect ? linkButton('Correct', `${of}/correct`, 'quiet') : null,
    ...(visit.may('runWorkshop')
      ? ownersActions
          .filter(([name]) => name !== 'Export' || workshop.seesPhones)
          .map(([name, path]) => linkButton(name, `${of}/${path}`, 'quiet'))
      : []),
  )}</section>`;
}

/** `asks`: they may be changed. */
function tags(
  visit: WorkshopVisit,
  { tags: all, version }: CustomerRecord,
  asks: { readonly refused: Refused | null } | null,
): SafeHtml | null {
  if (asks === null && all.length === 0) return null;
  const { workshop, form } = visit;
  const shown = (tag: string) => textShown(tag, workshop);
  if (asks === null)
    return html`<section class="card"><h2>Tags</h2><ul>${all.map((tag) => html`<li>${shown(tag)}</li>`)}</ul></section>`;
  return html`<section class="card"><h2>Tags</h2>${changeForm({
    ...{ action: `${pathOf(visit)}/tags`, version },
    // Enter in the field adds: its button is the first.
    body: html`${field({ name: 'add', label: 'Add a tag', max: 64, value: form['add'], isUnmarked: true, error: faultOf(asks.refused, 'add') })}${buttons(button('Add', 'quiet'))}
${all.length === 0 ? null : html`<ul class="stack">${all.map((tag) => html`<li class="head"><span>${shown(tag)}</span>${shown(tag) === tag ? html`<button class="button quiet" name="gone" value="${tag}" aria-label="Remove ${tag}">Remove</button>` : null}</li>`)}</ul>`}`,
  })}</section>`;
}
