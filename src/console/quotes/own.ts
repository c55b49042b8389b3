/** /console/w/{slug}/quotes/new: a quote of the workshop's own, priced and sent at once. */
import { html } from '@remix-run/html-template';
import { normaliseRego } from '#base/values/rego.ts';
import { Problem } from '#errors.ts';
import { refreshOffer } from '#product/catalogue/offer.ts';
import { createOwnQuote } from '#product/quotes/staff/create.ts';
import { asTyped } from '../bookings/as-typed.ts';
import { contactOf, type Prefilled, prefilled } from '../bookings/prefill.ts';
import { reachedBy } from '../bookings/reached.ts';
import { typedServicesOf } from '../bookings/service-fields.ts';
import { isTold } from '../bookings/tell.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { refusal } from '../frame/form.ts';
import { type Refused, submit } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { contactFields } from './contact-fields.ts';
import { blank, type Row, readRows, rowsOf } from './draft.ts';
import { previewOfNew, type Written } from './preview.ts';
import { priceForm, priceRules, priceScripts } from './price-form.ts';

export async function askOwn(visit: WorkshopVisit): Promise<ConsolePage> {
  requireWords(visit);
  return ownPage(visit, await prefilled(visit, visit.query), null);
}

/** Changes nothing: shows the form as typed, with a line added or removed, or with what is known. */
export const draftOwn = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  ownPage(visit, await prefilled(visit, visit.form), null);

export async function makeOwn(visit: WorkshopVisit): Promise<ConsoleResponse> {
  requireWords(visit);
  const { actor, form, workshop, base } = visit;
  const notify = isTold(form);
  const pathOf = ({ id }: { readonly id: string }) =>
    `${base}/quotes/${id}?done=${notify ? 'priced' : 'pricedQuietly'}`;
  return submit(
    visit,
    async (key) => {
      const { phone, email, hidesNumbers } = await contactOf(visit, withoutTyped(visit));
      const { lines, faults } = readRows(rowsOf(form));
      const input = {
        ...{ customerName: form['name'] ?? '', customerPhone: phone, customerEmail: email },
        ...{ carRego: form['rego'] ?? '', carMake: form['make'] ?? '', carModel: form['model'] ?? '' },
        ...{ service: typedServicesOf(form), notes: form['notes'] ?? '', lines },
        ...{ validDays: form['validDays'] ?? '', message: form['message'] ?? '' },
        ...(form['customer'] && { customerId: form['customer'] }),
        ...(hidesNumbers && { hidesNumbers }),
      };
      const options = { notify, actor, found: faults };
      return pathOf(await createOwnQuote(key.once(pathOf), workshop, input, options));
    },
    async (refused) => ownPage(visit, await prefilled(visit, form), refused),
  );
}

/** The price goes in the sender's own words. */
function requireWords(visit: WorkshopVisit): void {
  if (visit.may('wordTexts')) return;
  const message =
    'You may not text customers in your own words here, and a quote is sent to one. An owner can change that';
  throw new Problem('000003', { message });
}

/** Whoever may not see phones and e-mails types none: a number would tell whose it is. They quote a customer whom they have chosen. */
function withoutTyped({ form, workshop }: WorkshopVisit): WorkshopVisit['form'] {
  if (workshop.seesPhones) return form;
  const { phone: _, email: __, ...rest } = form;
  return rest;
}

async function ownPage(
  visit: WorkshopVisit,
  { form, known, foundFor }: Pick<Prefilled, 'form' | 'known' | 'foundFor'>,
  refusedBy: Refused | null,
): Promise<ConsolePage> {
  const { workshop, base } = visit;
  const refused = asTyped(refusedBy);
  const path = `${base}/quotes/new`;
  const draft = `${path}/draft`;
  const [above, written, rows] = await Promise.all([
    contactFields(visit, { form, known, foundFor }, refused, draft),
    writtenIn(visit, form),
    rowsIn(visit, form),
  ]);
  const price = {
    ...{ heading: 'What it is for, and the price', send: path, draft, rows, message: '' },
    above: html`<div class="pricing"><div class="stack">${above}</div></div>`,
    preview: (...typed: [Parameters<typeof previewOfNew>[2], typeof form]) =>
      previewOfNew(visit, written, ...typed),
  };
  const isUnreachable = !workshop.seesPhones && written.to.phone === '';
  return {
    title: 'New quote',
    current: 'Quotes',
    isWide: true,
    rules: priceRules,
    scripts: priceScripts,
    main: html`<div class="stack"><h1>New quote</h1><p class="quiet">It is your own: no partner sees it. Nothing goes before you press Send quote.</p>
${refusal(refused)}
${isUnreachable ? html`<p class="notice">You do not see phone numbers here: open the customer, and begin their quote there.</p>` : null}
${await priceForm(visit, price, refused)}</div>`,
  };
}

/** The first rows: the services that the form opens with, with their prices. */
async function rowsIn(
  { context, workshop }: WorkshopVisit,
  form: Prefilled['form'],
): Promise<readonly Row[]> {
  const offer = await refreshOffer(context.db, workshop.workshopId);
  const rows = typedServicesOf(form).map((word): Row => {
    const service = offer?.byCode.get(word);
    return { ...blank, title: service?.title ?? word, price: service?.cost?.toFixed(2) ?? '' };
  });
  return rows.length > 0 ? rows : [blank];
}

/** Returns the preview of the notice, with its recipients. */
async function writtenIn(visit: WorkshopVisit, form: Prefilled['form']): Promise<Written> {
  const { context, workshop, form: sent } = visit;
  const { db } = context;
  const { workshopId, country } = workshop;
  const contact = await contactOf(visit, workshop.seesPhones ? form : { ...form, phone: '', email: '' });
  const { phone, ...reached } = await reachedBy(visit, contact);
  const offer = await refreshOffer(db, workshopId);
  const services = typedServicesOf(form).map((word) => offer?.byCode.get(word)?.title ?? word);
  const lines = readRows(rowsOf(sent)).priced.lines.map(({ title }) => title);
  return {
    ...{ rego: normaliseRego(form['rego'] ?? ''), name: form['name'] ?? '' },
    ...{ make: form['make']?.trim() || null, model: form['model']?.trim() || null },
    services: services.length > 0 ? services : lines,
    to: { ...reached, phone: phone ?? '', country, erased: false },
  };
}
