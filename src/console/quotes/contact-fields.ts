/** The fields for customer, car and work of a new quote: of a call, and of the workshop's own. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { field, hidden, textArea } from '#platform/pages/components.ts';
import type { Prefilled } from '../bookings/prefill.ts';
import { serviceFields, typedServicesOf } from '../bookings/service-fields.ts';
import { faultOf } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { nameShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

/** `fill`: the path of the button that fills in what is known; null: there is none. */
export async function contactFields(
  { context, workshop }: WorkshopVisit,
  { form, known, foundFor }: Pick<Prefilled, 'form' | 'known' | 'foundFor'>,
  refused: Refused | null,
  fill: string | null,
): Promise<SafeHtml> {
  const one = known.length === 1 ? known[0] : known.find(({ customerId }) => customerId === form['customer']);
  const choice = await serviceFields(context, workshop.workshopId, typedServicesOf(form), refused);
  const shown = (name: string, of: Omit<Parameters<typeof field>[0], 'name'>) =>
    field({ name, value: form[name], error: faultOf(refused, name), isUnmarked: true, ...of });
  return html`${one === undefined ? null : html`<p class="quiet">Known: <strong>${nameShown(one.name, workshop)}</strong></p>${hidden('customer', one.customerId)}${foundFor && hidden('foundFor', foundFor)}`}
<div class="pair">${shown('rego', { label: 'Registration', capitals: 'characters', max: 16 })}${workshop.seesPhones ? shown('phone', { label: 'Mobile number', type: 'tel' }) : null}</div>
${fill === null ? null : html`<p class="buttons"><button class="button quiet" name="do" value="known" formaction="${fill}" formnovalidate>Fill in what is known</button></p>`}
<div class="pair">${shown('name', { label: 'Name', capitals: 'words' })}${workshop.seesPhones || fill === null ? shown('email', { label: 'E-mail', type: 'email' }) : null}</div>
${fill === null ? null : html`<div class="pair">${shown('make', { label: 'Make', capitals: 'words', max: 64 })}${shown('model', { label: 'Model', capitals: 'words', max: 64 })}</div>`}
${choice}
${textArea({ name: 'notes', label: 'Notes', value: form['notes'], error: faultOf(refused, 'notes'), isUnmarked: true })}`;
}
