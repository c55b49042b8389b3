/** /console/w/{slug}/customers/{id}/opt-in: somebody who had opted out of SMS has agreed to them again. */
import { html } from '@remix-run/html-template';
import { dateAt } from '#base/values/local-day.ts';
import { localDate } from '#base/values/local-time.ts';
import { button, buttons, field, linkButton } from '#platform/pages/components.ts';
import { optInAgain } from '#product/customers/opt-in.ts';
import { tellable } from '#product/sending/provider-opt-in/tell.ts';
import { findWorkshop } from '#product/workshops/store.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { changeForm, faultOf, refusal } from '../frame/form.ts';
import { type Refused, submit, versionOf } from '../frame/form-key/submit.ts';
import { nameShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { customerChangesSince } from './changed.ts';
import { followedByForm, type OpenedCustomer, openCustomer } from './open.ts';

export const askOptIn = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  optInPage(visit, await openCustomer(visit), null);

export async function optIn(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { actor, form, workshop } = visit;
  const { customer, path } = await openCustomer(visit);
  const to = `${path}?done=optedIn`;
  return submit(
    visit,
    async (key) => {
      await optInAgain(key.once(to), {
        ...{ workshopId: workshop.workshopId, customerId: customer.customerId, seen: versionOf(form) },
        ...{ agreement: { how: form['how'] ?? '', on: form['on'] ?? '' }, actor },
      });
      return to;
    },
    async (refused) => optInPage(visit, await openCustomer(visit), refused),
  );
}

async function optInPage(
  visit: WorkshopVisit,
  { customer, path }: OpenedCustomer,
  refused: Refused | null,
): Promise<ConsolePage> {
  const { context, workshop, form } = visit;
  const { optedOutAt, version } = customer;
  const gateways = tellable(
    context.sms,
    (await findWorkshop(context.db, workshop.workshopId))?.smsGateways ?? null,
  );
  const today = dateAt(context.clock.now().getTime(), workshop.timezone);
  const asks = changeForm({
    ...{ action: `${path}/opt-in`, version },
    body: html`${field({ name: 'how', label: 'How they agreed', value: form['how'], hint: 'Such as "asked for it at the desk": 3 to 255 characters. It is kept in the trail, with your name.', required: true, error: faultOf(refused, 'how') })}
${field({ name: 'on', label: 'The day they agreed', type: 'date', value: form['on'] ?? today, required: true, error: faultOf(refused, 'on') })}
${buttons(button('Opt in again'), linkButton('Back', path, 'quiet'))}`,
  });
  return {
    title: 'Opt in again',
    ...followedByForm(customer),
    current: 'Customers',
    main: html`<div class="stack narrow"><h1>Opt in again</h1><p>${nameShown(customer.name, workshop)}</p>
${refusal(refused, await customerChangesSince(visit, customer.customerId, refused))}
${
  optedOutAt === null
    ? html`<p>They have not opted out: they get SMS.</p>${buttons(linkButton('Back', path, 'quiet'))}`
    : html`<p>Opted out of SMS on ${localDate(optedOutAt, workshop.timezone)}. Opt them in only if they have asked for it themselves: nobody else may decide it.</p>
<p class="notice">${gateways.length > 0 ? toldNote : startNote}</p>
<section class="card">${asks}</section>`
}</div>`,
  };
}

/** Where the SMS provider has a call for it. */
const toldNote =
  'If they texted STOP, the SMS provider is told that they want texts again, and this page says afterwards whether it took that. A carrier that goes on refusing our texts ends it only when they text START to our number.';

/** The warning about opt-outs elsewhere that an opt-in here can't undo. */
export const startNote =
  'If they texted STOP, their carrier or the SMS provider may go on refusing our texts: there is no call here that tells it otherwise. Then only they can end it: by texting START to our number.';
