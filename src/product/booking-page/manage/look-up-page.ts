/** /book/{slug}/manage: finding a booking by its code and phone number. */
import { html } from '@remix-run/html-template';
import { button, buttons, faults, field } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import type { Page } from '#platform/pages/layout.ts';
import { findPath, lookUpPath } from '#platform/pages/shop.ts';
import type { PageWorkshop } from '#product/customer-pages/store.ts';

export interface LookUpFault {
  /** Null: the fault is of both together. */
  readonly field: 'code' | 'phone' | null;
  readonly message: string;
}

/** `shop`: null where the workshop is not known. `found`: the faults, in the order of the form. */
export function lookUpPage(shop: PageWorkshop | null, form: Form, found: readonly LookUpFault[]): Page {
  const errorOf = (name: string) => found.find(({ field }) => field === name)?.message;
  return {
    title: 'Find your booking',
    isRefusal: found.length > 0,
    shop,
    main: html`<h1>Find your booking</h1>
<p>To move or cancel your booking, or just to look it up.${shop === null ? ' The workshop’s phone number is in the message that you got about it.' : null}</p>
${found.length > 0 ? faults(found.map(({ field: name, message }) => ({ field: name ?? 'code', message }))) : null}
<form method="post" action="${shop === null ? findPath : lookUpPath(shop)}" novalidate>
${field({ name: 'code', label: 'Booking code', hint: 'Eight letters and digits, in the message that you got.', value: form['code'], error: errorOf('code'), required: true, max: 20, capitals: 'characters' })}
${field({ name: 'phone', label: 'Phone number', hint: 'The one that you booked with.', type: 'tel', autocomplete: 'tel', value: form['phone'], error: errorOf('phone'), required: true, max: 64 })}
${buttons(button('Find my booking'))}
</form>`,
  };
}
