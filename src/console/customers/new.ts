/** /console/w/{slug}/customers/new: a customer who need have neither booked nor written. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, field, focused, linkButton } from '#platform/pages/components.ts';
import { addCustomer, KnownNumber } from '#product/bookings/staff/add-customer.ts';
import { asTyped } from '../bookings/as-typed.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { changeForm, enterButton, faultOf, refusal } from '../frame/form.ts';
import { type Refused, submit } from '../frame/form-key/submit.ts';
import { countShown } from '../frame/found.ts';
import { nameShown, phoneLink } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

export const askNew = async (visit: WorkshopVisit): Promise<ConsolePage> => newPage(visit, null);

export async function add(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { actor, form, workshop, base } = visit;
  const pathOf = (id: string) => `${base}/customers/${id}?done=added`;
  // Whoever may not see phones and e-mails types none: a number would tell whose it is.
  const { phone, email } = workshop.seesPhones ? form : {};
  return submit(
    visit,
    async (key) => {
      const input = {
        ...{ customerName: form['name'] ?? '', customerPhone: phone ?? '', customerEmail: email ?? '' },
        ...{ customerCompany: form['company'] ?? '', carRego: form['rego'] ?? '' },
        ...{ carMake: form['make'] ?? '', carModel: form['model'] ?? '' },
        ...{ carYear: form['year'] ?? '', carVin: form['vin'] ?? '' },
      };
      return pathOf(await addCustomer(key.once(pathOf), workshop, input, actor));
    },
    (refused) => newPage(visit, refused),
  );
}

async function newPage(visit: WorkshopVisit, refusedBy: Refused | null): Promise<ConsolePage> {
  const { form, workshop, base } = visit;
  const refused = asTyped(refusedBy);
  const text = (name: string, of: Omit<Parameters<typeof field>[0], 'name'>) =>
    field({ name, value: form[name], error: faultOf(refused, name), isUnmarked: true, ...of });
  return {
    title: 'New customer',
    current: 'Customers',
    main: html`<div class="stack narrow"><h1>New customer</h1><p class="quiet">Nobody is told.</p>
${await refusalOf(visit, refused)}
<section class="card">${changeForm({
      action: `${base}/customers/new`,
      body: html`${enterButton}${text('name', { label: 'Name', capitals: 'words', hint: workshop.seesPhones ? 'A name, a number or a registration alone is enough.' : 'A name, or a registration, alone is enough.' })}
${workshop.seesPhones ? html`<div class="pair">${text('phone', { label: 'Mobile number', type: 'tel' })}${text('email', { label: 'E-mail', type: 'email' })}</div>` : null}
${text('company', { label: 'Company' })}
<fieldset><legend>Car</legend><div class="stack"><div class="pair">${text('rego', { label: 'Registration', capitals: 'characters', max: 32 })}${text('year', { label: 'Year', max: 4, isDigits: true })}</div>
<div class="pair">${text('make', { label: 'Make', capitals: 'words', max: 64 })}${text('model', { label: 'Model', capitals: 'words', max: 64 })}</div>
${text('vin', { label: 'VIN', capitals: 'characters', max: 32 })}</div></fieldset>
${buttons(button('Add customer'), linkButton('Back', `${base}/customers`, 'quiet'))}`,
    })}</section></div>`,
  };
}

/** The refusal. That of a known number leads to its customer, who counts among those that are shown. */
async function refusalOf(visit: WorkshopVisit, refused: Refused | null): Promise<SafeHtml | null> {
  if (!(refused?.error instanceof KnownNumber)) return refusal(refused);
  const { customerId, name, phone } = refused.error.known;
  await countShown(visit, [customerId]);
  const { workshop, base } = visit;
  return focused(
    html`<p><strong>That number is known.</strong> ${phoneLink(phone, workshop)} is of <a href="${base}/customers/${customerId}">${nameShown(name, workshop)}</a>: nobody was added.</p>`,
  );
}
