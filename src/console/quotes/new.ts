/**
 * /console/w/{slug}/quotes/new?call=: a quote for a caller, which belongs to the partner of the call and is priced on the next page; without
 * a call, one of the workshop's own.
 */
import { html } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { Problem } from '#errors.ts';
import { change } from '#platform/change/change.ts';
import { button, buttons, hidden, linkButton } from '#platform/pages/components.ts';
import { findRecord } from '#platform/records/store.ts';
import { endCall } from '#product/leads/call-back/mark.ts';
import { callRecord, type WorkshopCall } from '#product/leads/record.ts';
import { createQuoteByStaff } from '#product/leads/staff/quote.ts';
import { asTyped } from '../bookings/as-typed.ts';
import { contactOf, type Prefilled, prefilled } from '../bookings/prefill.ts';
import { typedServicesOf } from '../bookings/service-fields.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { changeForm, enterButton, refusal } from '../frame/form.ts';
import { type Refused, submit } from '../frame/form-key/submit.ts';
import { phoneLink } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { contactFields } from './contact-fields.ts';
import { askOwn, makeOwn } from './own.ts';

export async function askNew(visit: WorkshopVisit): Promise<ConsolePage> {
  if (!visit.query['call']) return askOwn(visit);
  const call = await openCall(visit, visit.query['call']);
  return newPage(visit, call, await prefilled(visit, visit.query), null);
}

export async function make(visit: WorkshopVisit): Promise<ConsoleResponse> {
  if (!visit.form['call']) return makeOwn(visit);
  const { actor, form, workshop, base } = visit;
  const { workshopId } = workshop;
  const call = await openCall(visit, form['call']);
  const pathOf = ({ id }: { readonly id: string }) => `${base}/quotes/${id}?done=asked`;
  return submit(
    visit,
    async (key) => {
      // Whoever may not see phones types none: a typed one would tell whose it is.
      const contact = await contactOf(visit, form);
      const phone = workshop.seesPhones ? contact.phone : (call.callerPhone ?? '');
      const { email } = contact;
      const input = {
        ...{ workshopId, callId: call.id },
        ...{ customerName: form['name'] ?? '', customerPhone: phone, customerEmail: email },
        ...{ carRego: form['rego'] ?? '', service: typedServicesOf(form), notes: form['notes'] ?? '' },
      };
      const made = await change(key.once(pathOf), async ({ tx, within, now: at }) => {
        const quote = await createQuoteByStaff(within, input, actor);
        await endCall(tx, { workshopId, callId: call.id, actor, at });
        return quote;
      });
      return pathOf(made);
    },
    async (refused) => newPage(visit, call, await prefilled(visit, form), refused),
  );
}

/** Throws 404, also for a call of another workshop. */
async function openCall(
  { context, workshop }: WorkshopVisit,
  id: string | undefined = '',
): Promise<WorkshopCall> {
  const call = isId(id) ? await findRecord(context.db, callRecord, { id }) : null;
  if (call?.workshopId !== workshop.workshopId) throw new Problem('000002');
  return call;
}

async function newPage(
  visit: WorkshopVisit,
  call: WorkshopCall,
  found: Prefilled,
  refusedBy: Refused | null,
): Promise<ConsolePage> {
  const { workshop, base } = visit;
  const refused = asTyped(refusedBy);
  return {
    title: 'New quote',
    current: 'Quotes',
    main: html`<div class="stack narrow"><h1>New quote</h1>${refusal(refused)}
<p class="quiet">Of the call ${localDateTime(new Date(call.calledAt), workshop.timezone)} from ${phoneLink(call.callerPhone, workshop)}, by ${call.partner}.</p>
<section class="card">${changeForm({
      action: `${base}/quotes/new`,
      body: html`${enterButton}${hidden('call', call.id)}
${await contactFields(visit, found, refused, null)}
<p class="quiet">Nobody is told yet. You price it on the next page.</p>
${buttons(button('Make quote'), linkButton('Back', `${base}/calls`, 'quiet'))}`,
    })}</section></div>`,
  };
}
