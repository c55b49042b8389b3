/** The customer and the car of a new booking: the known details of a caller, and the choice between several. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { hidden } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import type { KnownCar, KnownCustomer } from '#product/customers/known/store.ts';
import { nameShown, phoneLink, phoneTyped, textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import type { Prefilled } from './prefill.ts';

/** `known.mjs` fills its values into the form's empty fields, and swaps it as the form is filled in. */
export function knownOf(
  { form, known, found, cars, ofAnother, foundFor }: Prefilled,
  visit: WorkshopVisit,
  path: string,
): SafeHtml {
  return html`<div class="stack" id="known">${ofAnother && anothersCar(ofAnother, visit)}${whichCustomer(known, form, visit)}${whichCar(cars, form, visit, path)}${foundFor && hidden('foundFor', foundFor)}${Object.entries(found).map(([name, value]) => html`<data hidden data-for="${name}" value="${value}"></data>`)}</div>`;
}

/** The number is not that of who has come with the car: it is another customer, or they have a new one. */
const anothersCar = ({ name, phone }: KnownCustomer, { workshop }: WorkshopVisit): SafeHtml =>
  html`<p class="notice">${nameShown(name, workshop)}, ${phoneLink(phone, workshop)}, has come with this car. With another number it is another customer’s booking: if they have a new number, correct it on their page first.</p>`;

/** The choice between several matching customers. */
function whichCustomer(
  known: readonly KnownCustomer[],
  form: Form,
  { workshop }: WorkshopVisit,
): SafeHtml | null {
  const [one] = known;
  if (one === undefined) return null;
  const chosen = form['customer'] ?? '';
  if (known.length === 1)
    return html`<p class="quiet">Known: <strong>${nameShown(one.name, workshop)}</strong> ${phoneLink(one.phone, workshop)}</p><input type="hidden" name="customer" value="${one.customerId}">${workshop.seesPhones && one.name !== null && one.name !== one.phone ? whichName(one.name, form['knownName'] === 'change') : null}`;
  return html`<fieldset><legend>Which customer?</legend>${known.map(({ customerId, name, phone }) => html`<div class="check"><input type="radio" id="customer-${customerId}" name="customer" value="${customerId}"${customerId === chosen ? html` checked` : null}><label for="customer-${customerId}">${nameShown(name, workshop)} ${workshop.seesPhones ? phoneTyped(phone, workshop) : null}</label></div>`)}<div class="check"><input type="radio" id="customer-none" name="customer" value=""><label for="customer-none">Someone else</label></div></fieldset>`;
}

/** A button for each of several cars; the one that is filled in is marked. */
function whichCar(
  cars: Prefilled['cars'],
  form: Form,
  { workshop }: WorkshopVisit,
  path: string,
): SafeHtml | null {
  if (cars.all.length < 2) return null;
  const nameOf = ({ rego, year, make, model }: KnownCar) =>
    textShown([rego, year, make, model].filter(Boolean).join(' '), workshop);
  return html`<fieldset><legend>Which car?</legend><p class="buttons">${cars.all.map(
    (car) =>
      html`<button class="button quiet" formmethod="get" formaction="${path}" formnovalidate data-rego="${car.rego ?? ''}" name="car" value="${car.carId}" aria-pressed="${car.carId === cars.chosen?.carId ? 'true' : 'false'}">${nameOf(car)}</button>`,
  )}</p>${form['rego'] && cars.chosen === null ? html`<p class="quiet">${form['rego']} is a car that they have not come with.</p>` : null}</fieldset>`;
}

/** For another name than that of a known customer: the booking has it in any case. */
function whichName(name: string, isChanged: boolean): SafeHtml {
  const choice = (value: 'keep' | 'change', label: string) =>
    html`<div class="check"><input type="radio" id="known-name-${value}" name="knownName" value="${value}"${(value === 'change') === isChanged ? html` checked` : null}><label for="known-name-${value}">${label}</label></div>`;
  return html`<fieldset><legend>Known as <bdi>${name}</bdi></legend><p class="quiet">If you type another name, the booking has it.</p>${choice('keep', 'Keep that name')}${choice('change', 'Change it to the one below')}</fieldset>`;
}
