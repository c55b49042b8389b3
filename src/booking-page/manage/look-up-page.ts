/** /book/{slug}/manage: finding one's booking by its code and phone number. */
import { html } from '@remix-run/html-template';
import { button, buttons, field, notice } from '#pages/components.ts';
import type { Form } from '#pages/form.ts';
import type { Page } from '#pages/layout.ts';
import type { PageWorkshop } from '../store.ts';

export interface LookUpFault {
  readonly field: 'code' | 'phone' | null;
  readonly message: string;
}

export function lookUpPage(shop: PageWorkshop, form: Form, fault: LookUpFault | null): Page {
  const errorOf = (name: string) => (fault?.field === name ? fault.message : undefined);
  return {
    title: 'Find your booking',
    shop,
    main: html`<h1>Find your booking</h1>
<p>To move or cancel your booking, or just to look it up.</p>
${fault?.field === null ? notice('bad', fault.message) : null}
<form method="post" action="/book/${shop.slug}/manage">
${field({ name: 'code', label: 'Booking code', hint: 'Eight letters and digits, in the message that you got.', value: form['code'], error: errorOf('code'), required: true, max: 20, capitals: 'characters' })}
${field({ name: 'phone', label: 'Phone number', hint: 'The one that you booked with.', type: 'tel', autocomplete: 'tel', value: form['phone'], error: errorOf('phone'), required: true, max: 64 })}
${buttons(button('Find my booking'))}
</form>`,
  };
}
