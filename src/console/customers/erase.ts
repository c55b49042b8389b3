/** /console/w/{slug}/customers/{id}/erase: what is erased and what stays, and the erasure. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { InvalidInput } from '#base/operator-error.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { button, buttons, facts, field, linkButton } from '#platform/pages/components.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { changeForm, faultOf, refusal } from '../frame/form.ts';
import { type Refused, submit, versionOf } from '../frame/form-key/submit.ts';
import { nameShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { customerChangesSince } from './changed.ts';
import { readHeld } from './history/read.ts';
import { followedByForm, type OpenedCustomer, openAnyCustomer, openCustomer } from './open.ts';

/** The word that has to be typed. It is the same for all: some customers have neither a name nor a registration. */
const word = 'erase';

export async function askErase(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const opened = await openAnyCustomer(visit);
  return opened.customer.erasedAt === null ? erasePage(visit, opened, null) : { to: opened.path };
}

/** For a customer who is erased already: the same response, without a change. */
export async function erase(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { actor, form, workshop } = visit;
  const { customer, path } = await openAnyCustomer(visit);
  const to = `${path}?done=erased`;
  if (customer.erasedAt !== null) return { to };
  return submit(
    visit,
    async (key) => {
      if ((form['confirm'] ?? '').trim().toLowerCase() !== word)
        throw new InvalidInput([{ field: 'confirm', message: `must be ${word}: it can't be undone` }]);
      await eraseCustomer(key.once(to), customer.customerId, actor, {
        ...{ workshopId: workshop.workshopId, seen: versionOf(form) },
      });
      return to;
    },
    async (refused) => erasePage(visit, await openCustomer(visit), refused),
  );
}

async function erasePage(
  visit: WorkshopVisit,
  { customer, path }: OpenedCustomer,
  refused: Refused | null,
): Promise<ConsolePage> {
  const { workshop, form } = visit;
  const { customerId, version } = customer;
  const [held, changes] = await Promise.all([
    readHeld(visit, customerId),
    customerChangesSince(visit, customerId, refused),
  ]);
  const row = (name: string, count: number, stays: string) =>
    [name, html`${String(count)}. ${stays}`] as readonly [string, SafeHtml];
  return {
    title: 'Erase a customer',
    ...followedByForm(customer),
    current: 'Customers',
    main: html`<div class="stack narrow"><h1>Erase ${nameShown(customer.name, workshop)}</h1>
${refusal(refused, changes)}
<p>Name, phone, e-mail, addresses, registrations and every text with them are overwritten, also in what waits to be sent and in what partners read. It can't be undone.</p>
<section class="card"><h2>What is held, and what stays of it</h2>${facts([
      row('Bookings', held.bookings, 'Date, services and state stay, without the person.'),
      row('Quotes', held.quotes, 'Lines and price stay.'),
      row('Reminders', held.reminders, 'When they were due stays.'),
      row('Calls', held.calls, 'Time and length stay, without number and recording.'),
      row('Cars', held.cars, 'Make, model and year stay, without registration and VIN.'),
      row('Messages', held.messages, 'That they were sent stays; the texts and pictures go.'),
    ])}
<p class="quiet">What changed stays in the trail with who did it and when, without what it said of the person. Backups made before, what partners keep themselves, and notes of days are not reached.</p></section>
<section class="card">${changeForm({
      ...{ action: `${path}/erase`, version },
      body: html`${field({ name: 'confirm', label: `Type ${word} to confirm`, value: form['confirm'], required: true, max: 20, error: faultOf(refused, 'confirm') })}
<p class="quiet">On a large installation it may take a minute or more. It goes on if you leave the page.</p>
${buttons(button('Erase', 'danger'), linkButton('Export first', `${path}/export`, 'quiet'), linkButton('Back', path, 'quiet'))}`,
    })}</section></div>`,
  };
}
