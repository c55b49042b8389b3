/** The details of a car in forms: Make, Model, Year and VIN. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { redactedContacts } from '#base/values/redacted-contacts.ts';
import { normaliseRego } from '#base/values/rego.ts';
import { field } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import type { WorkshopBooking } from '#product/bookings/record.ts';
import { listCarsOf } from '#product/customers/cars/store.ts';
import { faultOf } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

/** The form's field, the verb's, the label, and the most characters. */
const details = [
  ['make', 'carMake', 'Make', 64],
  ['model', 'carModel', 'Model', 64],
  ['year', 'carYear', 'Year', 4],
  ['vin', 'carVin', 'VIN', 32],
] as const;
type DetailName = (typeof details)[number][0];
type Car = { readonly [Name in DetailName]?: string | number | null };

/**
 * The car as values of the fields. Details with a phone or an e-mail in them are left out for people who may not see these: a masked
 * value would overwrite the stored one.
 */
export function carShown({ workshop }: Pick<WorkshopVisit, 'workshop'>, car: Car): Form {
  const whole = details.flatMap(([name]) => {
    const text = String(car[name] ?? '');
    return workshop.seesPhones || redactedContacts(text) === text ? [[name, text] as const] : [];
  });
  return Object.fromEntries(whole);
}

/** `shown`: the names of the fields; absent: all. */
export function carFields(form: Form, refused: Refused | null, shown?: Form): SafeHtml {
  const fields = details.map(([name, verbs, label, max]) => {
    const error = faultOf(refused, verbs) ?? faultOf(refused, name);
    const of = { name, label, max, value: form[name], error, isUnmarked: true };
    const sort =
      name === 'year' ? { isDigits: true } : name === 'vin' ? { capitals: 'characters' as const } : {};
    return shown === undefined || Object.hasOwn(shown, name) ? field({ ...of, ...sort }) : null;
  });
  return html`<div class="pair">${fields.slice(0, 2)}</div><div class="pair">${fields.slice(2)}</div>`;
}

/** The typed details, for the verbs; with `shown` only those that differ from it. */
export function typedCar(form: Form, shown?: Form) {
  const typed = details.flatMap(([name, verbs]) => {
    const text = form[name];
    if (
      text === undefined ||
      (shown !== undefined && (!Object.hasOwn(shown, name) || text.trim() === shown[name]))
    )
      return [];
    return [[verbs, text] as const];
  });
  return Object.fromEntries(typed) as TypedCar;
}

type TypedCar = { readonly [Name in (typeof details)[number][1]]?: string };

/**
 * The details that Edit changes. With another registration the booking is for another car: one that the customer has come with keeps what
 * is known of it, but for what was typed; any other gets all that the form shows.
 */
export async function carChanges(
  visit: WorkshopVisit,
  { car, customerId }: Pick<WorkshopBooking, 'car' | 'customerId'>,
): Promise<TypedCar> {
  const { context, form } = visit;
  const shown = carShown(visit, car);
  const changed = typedCar(form, shown);
  const rego = normaliseRego(form['rego'] ?? '') || null;
  if (form['rego'] === undefined || car.rego === null || rego === car.rego) return changed;
  const cars = rego === null ? [] : await listCarsOf(context.db, customerId);
  const known = cars.find((each) => each.rego === rego);
  const all = details.flatMap(([name, verbs]) => {
    const text =
      known === undefined ? (Object.hasOwn(shown, name) ? form[name] : undefined) : String(known[name] ?? '');
    return text === undefined ? [] : [[verbs, text] as const];
  });
  return { ...Object.fromEntries(all), ...changed };
}
