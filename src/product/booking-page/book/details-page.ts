/** The third step: the customer and the car. */

import { html } from '@remix-run/html-template';
import { localTime } from '#base/values/local-time.ts';
import { ownValue } from '#base/values/own-value.ts';
import { phoneIn } from '#base/values/phone.ts';
import type { FieldError } from '#errors.ts';
import {
  button,
  buttons,
  faults,
  field,
  hidden,
  honeypot,
  select,
  textArea,
} from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import type { Page } from '#platform/pages/layout.ts';
import { bookingPolicies } from '#platform/pages/policies.ts';
import { plainPath } from '#platform/pages/shop.ts';
import type { AvailabilityDay } from '#product/availability/schema.ts';
import { timesNote } from '#product/customer-pages/times-note.ts';
import type { Prefill } from '../link/link.ts';
import { labels } from './fields.ts';
import { bookSteps, dayAndTime, summary } from './parts.ts';
import { regoAtMost } from './typed.ts';
import { parametersOf, type Visit, type Wanted } from './visit.ts';

export interface DetailsPage {
  readonly visit: Visit;
  readonly wanted: Wanted;
  readonly time: Date;
  readonly day: AvailabilityDay;
  /** The typed values, or those of the link. */
  readonly form: Form;
  readonly errors: readonly FieldError[];
  /** The id of this form: it makes one booking, however often it is sent. */
  readonly formId: string;
}

/** The phone in the national notation of the workshop's country, so that the form parses it to the same number. */
export function prefilled({ name, phone, email, rego }: Prefill, country: string): Form {
  const known = { customerName: name, customerEmail: email, carRego: rego };
  const values = { ...known, ...(phone !== undefined && { customerPhone: phoneIn(country, phone) }) };
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export function detailsPage({ visit, wanted, time, day, form, errors, formId }: DetailsPage): Page {
  const { shop, k } = visit;
  const of = (name: string) => ({
    name,
    label: ownValue(labels, name) ?? name,
    value: form[name],
    error: errors.find((error) => error.field === name)?.message,
  });
  const pickups = day.pickupTimes.filter((pickup) => new Date(pickup.time) > time);
  const pickupOptions = [
    { value: '', label: 'Any time' },
    ...pickups.map((pickup) => ({
      value: pickup.time,
      label: localTime(new Date(pickup.time), shop.timezone),
    })),
  ];
  const sent = { ...parametersOf(wanted), ...(k !== '' && { k }), time: time.toISOString(), formId };
  return {
    title: 'Your details',
    isRefusal: errors.length > 0,
    shop,
    aside: summary({ ...visit, wanted, time }),
    note: timesNote(shop),
    main: html`${bookSteps(visit, 2)}<h1>Who is coming?</h1>
${errors.length > 0 ? faults(errors) : null}
<form method="post" action="${plainPath(shop)}" novalidate>
${Object.entries(sent).map(([name, value]) => hidden(name, value))}${honeypot()}
${field({ ...of('customerName'), required: true, autocomplete: 'name', capitals: 'words' })}
<div class="pair">
${field({ ...of('customerPhone'), required: true, type: 'tel', autocomplete: 'tel', max: 64 })}
${field({ ...of('customerEmail'), required: true, type: 'email', autocomplete: 'email', max: 254 })}
</div>
${field({ ...of('carRego'), required: true, max: regoAtMost, capitals: 'characters' })}
<div class="pair">
${field({ ...of('carMake'), max: 64, capitals: 'words' })}
${field({ ...of('carModel'), max: 64, capitals: 'words' })}
</div>
${pickups.length > 0 ? select({ ...of('pickupTime'), options: pickupOptions }) : null}
${textArea(of('notes'))}
${bookingPolicies(shop)}
${buttons(button(`Book for ${dayAndTime(time, shop)}`))}
<p class="quiet">You get a confirmation by SMS and e-mail.</p>
</form>`,
  };
}
