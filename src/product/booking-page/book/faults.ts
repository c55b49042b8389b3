/** The faults of the booking page's form, in plain words and in the order of its fields. */
import { ownValue } from '#base/values/own-value.ts';
import type { FieldError } from '#errors.ts';
import type { Form } from '#platform/pages/form.ts';
import type { PageWorkshop } from '#product/customer-pages/store.ts';
import { phoneWanted } from '../phone-wanted.ts';
import { labels } from './fields.ts';

type Shop = Pick<PageWorkshop, 'country'>;

/** The instruction for a field that is empty or invalid. */
const wants: Readonly<Record<string, (shop: Shop) => string>> = {
  customerName: () => 'Enter your name',
  customerPhone: phoneWanted,
  customerEmail: () => 'Enter an e-mail address, such as kim@example.com',
  carRego: () => 'Enter the registration, as it stands on the number plate',
  pickupTime: () => 'Choose one of the pick-up times',
};

/** Faults as `POST /bookings` names them; `own` are worded already. The first of each field, in the order of the form. */
export function spokenFaults(
  found: readonly FieldError[],
  own: readonly FieldError[],
  form: Form,
  shop: Shop,
): FieldError[] {
  const spoken = found.map(({ field, message }) => ({
    field,
    message: spokenOf(field, message, form, shop),
  }));
  const all = [...spoken.filter(({ field }) => !form[field]), ...own, ...spoken];
  const known = Object.keys(labels).flatMap((name) => all.find(({ field }) => field === name) ?? []);
  return [...known, ...all.filter(({ field }) => !Object.hasOwn(labels, field))];
}

function spokenOf(field: string, message: string, form: Form, shop: Shop): string {
  const label = ownValue(labels, field) ?? field;
  const isTooLong = /at most \d+ characters/.exec(message);
  if (isTooLong !== null && form[field]) return `${label}: use ${isTooLong[0]}`;
  return ownValue(wants, field)?.(shop) ?? `${label} ${message}`;
}
