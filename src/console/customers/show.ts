/** /console/w/{slug}/customers/{id}: one customer, with their cars, bookings, and what was said. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDate, localDateTime } from '#base/values/local-time.ts';
import { button, buttons, facts, field, linkButton } from '#platform/pages/components.ts';
import { titlesOf } from '#product/catalogue/item.ts';
import { carInWords } from '#product/customers/records.ts';
import { readStaffCustomer, type StaffCustomer } from '#product/messaging/staff/customer.ts';
import { doneText } from '../bookings/done.ts';
import { newBookingPath } from '../find/view.ts';
import { changeForm, faultOf, refusal } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { notGiven, statusMark } from '../frame/marks.ts';
import { emailShown, nameShown, phoneLink, textShown } from '../frame/masked.ts';
import type { ConsolePage } from '../frame/place.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { listSaid, type Said } from '../said/store.ts';
import { saidList } from '../said/view.ts';
import { customerChangesSince } from './changed.ts';
import { pathOf } from './open.ts';
import { customerTrail } from './trail.ts';

export const showCustomer = (visit: WorkshopVisit): Promise<ConsolePage> => customerPage(visit, null);

/** `refused`: what was just asked for and not done. */
export async function customerPage(visit: WorkshopVisit, refused: Refused | null): Promise<ConsolePage> {
  const { context, workshop, params, query } = visit;
  const { workshopId } = workshop;
  const customerId = params['id'] ?? '';
  const customer = await readStaffCustomer(context.db, { workshopId, customerId });
  const [said, trail, changes] = await Promise.all([
    listSaid(context.db, workshopId, customerId),
    visit.may('seeTrail') ? customerTrail(visit, customerId) : null,
    customerChangesSince(visit, customerId, refused),
  ]);
  const mayCorrect = visit.may('correctCustomers') && customer.erasedAt === null;
  return {
    title: `Customer ${customer.name === null ? '' : textShown(customer.name, workshop)}`.trim(),
    current: 'Customers',
    said: refused === null ? doneText(query['done']) : null,
    main: html`${refusal(refused, changes)}
<h1>${nameShown(customer.name, workshop)}</h1>
<div class="columns"><div class="stack">${warnings(visit, customer)}${contact(visit, customer, mayCorrect)}${bookings(visit, customer)}${story(visit, customer, said)}</div>
<div class="stack">${cars(visit, customer)}${tags(visit, customer, mayCorrect ? { refused } : null)}${mayCorrect && customer.optedOutAt === null ? optOutForm(visit, customer) : null}${refused?.isStale ? null : trail}</div></div>`,
  };
}

function warnings(
  { workshop }: WorkshopVisit,
  { optedOutAt, erasedAt, emailBounce, notCome }: StaffCustomer,
): SafeHtml | null {
  const said = [
    erasedAt === null ? '' : 'The data of this customer were erased.',
    optedOutAt === null ? '' : `Opted out of SMS on ${localDate(optedOutAt, workshop.timezone)}.`,
    emailBounce ? `E-mails come back: ${textShown(emailBounce, workshop)}` : '',
    notCome > 0 ? `Did not come ${notCome === 1 ? 'once' : `${notCome} times`}.` : '',
  ].filter(Boolean);
  return said.length === 0
    ? null
    : html`<ul class="notice">${said.map((each) => html`<li>${each}</li>`)}</ul>`;
}

function contact(visit: WorkshopVisit, customer: StaffCustomer, mayCorrect: boolean): SafeHtml {
  const { workshop, base } = visit;
  const { customerId, phone, email, company, address, suburb, postcode, createdAt, erasedAt } = customer;
  const place = [address, suburb, postcode].filter(Boolean).join(', ');
  const mayBook = visit.may('changeBookings') && erasedAt === null;
  return html`<section class="card"><h2 class="unseen">Contact</h2>${facts([
    ['Phone', phoneLink(phone, workshop)],
    ...customer.furtherPhones.map((further) => ['Further number', phoneLink(further, workshop)] as const),
    ['E-mail', emailShown(email, workshop)],
    ['Company', company === null ? null : textShown(company, workshop)],
    ['Address', place === '' ? null : textShown(place, workshop)],
    ['Since', localDate(createdAt, workshop.timezone)],
  ])}${buttons(
    mayBook
      ? linkButton('New booking', newBookingPath(base, customerId, customer.cars[0]?.rego ?? null))
      : null,
    mayCorrect ? linkButton('Correct', `${pathOf(visit)}/correct`, 'quiet') : null,
    mayCorrect && visit.may('runWorkshop') ? linkButton('Merge', `${pathOf(visit)}/merge`, 'quiet') : null,
  )}</section>`;
}

function bookings({ workshop, base }: WorkshopVisit, { bookings: all }: StaffCustomer): SafeHtml {
  const items = all.map(
    ({ id, date, status, services, car }) =>
      html`<li><a href="${base}/bookings/${id}"><span class="row-title">${localDateTime(new Date(date), workshop.timezone)}</span><span class="row-value">${statusMark(status)}</span><span class="row-detail">${[car.rego ?? notGiven, ...titlesOf(services)].join(', ')}</span></a></li>`,
  );
  return html`<section class="stack"><h2>Bookings</h2>${items.length === 0 ? html`<p class="quiet">None yet.</p>` : html`<ul class="rows">${items}</ul>`}</section>`;
}

function story(visit: WorkshopVisit, { phone }: StaffCustomer, said: readonly Said[]): SafeHtml {
  const mayMessage = visit.may('wordTexts') && phone !== null;
  return html`<section class="card"><div class="head"><h2>Said and sent</h2>${mayMessage ? linkButton('Message', `${pathOf(visit)}/message`, 'quiet') : null}</div>${saidList(said, visit.workshop)}</section>`;
}

function cars(visit: WorkshopVisit, { customerId, cars: all, erasedAt }: StaffCustomer): SafeHtml | null {
  if (all.length === 0) return null;
  const mayBook = visit.may('changeBookings') && erasedAt === null;
  return html`<section class="card"><h2>Cars</h2><ul class="stack">${all.map((car) => html`<li>${carInWords(car)}${mayBook && all.length > 1 && car.rego !== null ? html` <a href="${newBookingPath(visit.base, customerId, car.rego)}" aria-label="New booking for ${car.rego}">New booking</a>` : null}</li>`)}</ul></section>`;
}

/** `asks`: they may be changed. */
function tags(
  visit: WorkshopVisit,
  { tags: all, version }: StaffCustomer,
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
${all.length === 0 ? null : html`<ul class="stack">${all.map((tag) => html`<li class="head"><span>${shown(tag)}</span><button class="button quiet" name="remove" value="${tag}" aria-label="Remove ${shown(tag)}">Remove</button></li>`)}</ul>`}`,
  })}</section>`;
}

function optOutForm(visit: WorkshopVisit, { version }: StaffCustomer): SafeHtml {
  return html`<section class="card">${changeForm({
    ...{ action: `${pathOf(visit)}/opt-out`, version },
    body: html`<p class="quiet">They want no SMS any more? Only an owner can opt them in again.</p>${buttons(button('Opt out', 'danger'))}`,
  })}</section>`;
}
