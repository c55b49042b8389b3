/** /console/w/{slug}/customers/{id}/correct: corrects a name, phone or e-mail. */
import { html } from '@remix-run/html-template';
import { InvalidInput } from '#base/operator-error.ts';
import { redactedContacts } from '#base/values/redacted-contacts.ts';
import { button, buttons, field, linkButton } from '#platform/pages/components.ts';
import { correctCustomer } from '#product/bookings/staff/correct-customer.ts';
import type { CustomerRecord } from '#product/customers/store.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { changeForm, faultOf, refusal } from '../frame/form.ts';
import { type Refused, submit, versionOf, versionShown } from '../frame/form-key/submit.ts';
import { nameShown, phoneTyped } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { customerChangesSince } from './changed.ts';
import { followedByForm, type OpenedCustomer, openCustomer } from './open.ts';

type FieldName = 'name' | 'phone' | 'email';

export const askCorrect = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  correctPage(visit, await openCustomer(visit), null);

export async function correct(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { actor, form, workshop } = visit;
  const { customer, path } = await openCustomer(visit);
  const to = `${path}?done=changed`;
  return submit(
    visit,
    async (key) => {
      await correctCustomer(key.once(to), {
        ...{ workshopId: workshop.workshopId, customerId: customer.customerId, actor },
        ...{ seen: versionOf(form), changes: changesOf(visit, customer) },
        alsoUpcoming: form['alsoUpcoming'] === 'yes',
      });
      return to;
    },
    async (refused) => correctPage(visit, await openCustomer(visit), refused),
  );
}

/** The customer as values of the fields. A phone that serves as the name is left out. */
function shownOf({ workshop }: WorkshopVisit, { name, phone, email }: CustomerRecord) {
  const its = name === null || name === phone ? '' : name;
  return {
    ...{ name: workshop.seesPhones ? its : redactedContacts(its) },
    ...{ phone: phoneTyped(phone, workshop), email: email ?? '' },
  };
}

/**
 * The fields that differ from the customer; people who do not see phones can't change phones and e-mails. Throws InvalidInput for
 * a value that can't be removed.
 */
function changesOf(visit: WorkshopVisit, customer: CustomerRecord): Partial<Record<FieldName, string>> {
  const shown = shownOf(visit, customer);
  const names: readonly FieldName[] = visit.workshop.seesPhones ? ['name', 'phone', 'email'] : ['name'];
  const changed = names.flatMap((name) => {
    const typed = visit.form[name];
    return typed === undefined || typed === shown[name] ? [] : [[name, typed] as const];
  });
  const isStale = Number(visit.form['version']) !== customer.version;
  const gone = isStale ? [] : changed.filter(([name, typed]) => typed === '' && name !== 'email');
  if (gone.length > 0)
    throw new InvalidInput(gone.map(([field]) => ({ field, message: `is needed: the ${field} is known` })));
  return Object.fromEntries(changed);
}

async function correctPage(
  visit: WorkshopVisit,
  { customer, path }: OpenedCustomer,
  refused: Refused | null,
): Promise<ConsolePage> {
  const { workshop, form, request } = visit;
  const isSent = request.method === 'POST';
  const present = shownOf(visit, customer);
  const text = (name: FieldName, of: Omit<Parameters<typeof field>[0], 'name'>) =>
    field({
      ...{ name, value: isSent ? form[name] : present[name], error: faultOf(refused, name) },
      isUnmarked: true,
      ...of,
    });
  return {
    title: 'Correct a customer',
    ...followedByForm(customer),
    current: 'Customers',
    main: html`<div class="stack narrow"><h1>Correct ${nameShown(customer.name, workshop)}</h1><p class="quiet">The customer is not told.</p>
${refusal(refused, await customerChangesSince(visit, customer.customerId, refused))}
<section class="card">${changeForm({
      ...{ action: `${path}/correct`, version: versionShown(form, refused, customer.version) },
      body: html`${text('name', { label: 'Name', capitals: 'words' })}
${workshop.seesPhones ? html`${text('phone', { label: 'Mobile number', type: 'tel' })}${text('email', { label: 'E-mail', type: 'email' })}` : null}
<div class="check"><input type="checkbox" id="alsoUpcoming" name="alsoUpcoming" value="yes"${form['alsoUpcoming'] === 'yes' ? html` checked` : null}><label for="alsoUpcoming">Also change upcoming bookings</label></div>
<p class="quiet">Partners hear of their bookings that change.</p>
${buttons(button('Save'), linkButton('Back', path, 'quiet'))}`,
    })}</section></div>`,
  };
}
