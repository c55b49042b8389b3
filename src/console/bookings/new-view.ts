/** The form of a new booking, with free times beside it. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { parseTypedTime } from '#base/values/typed-time.ts';
import { button, field, hidden, textArea } from '#platform/pages/components.ts';
import { type Form, readDate } from '#platform/pages/form.ts';
import { conflictOfNew } from '#product/bookings/staff/create.ts';
import { freeTimes } from '#product/bookings/staff/free-times.ts';
import type { KnownCustomer } from '#product/customers/known/store.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { changeForm, enterButton, faultOf, refusal } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { nameShown, phoneLink } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { asTyped } from './as-typed.ts';
import type { Prefilled } from './prefill.ts';
import { serviceFields, typedServicesOf } from './service-fields.ts';
import { tellFields, toldOfNew } from './tell.ts';
import {
  conflictFields,
  freeTimesFollow,
  freeTimesOf,
  timeSaidInForm,
  typedWhen,
  type When,
  whenAt,
  whenFields,
  whenTyped,
} from './when.ts';

export async function newPage(
  visit: WorkshopVisit,
  { form, known }: Prefilled,
  refusedBy: Refused | null,
): Promise<ConsolePage> {
  const { context, workshop, base } = visit;
  const { timezone, workshopId } = workshop;
  const refused = asTyped(refusedBy);
  const now = context.clock.now();
  const at = form['at'] ? parseTypedTime(form['at'], timezone, now) : null;
  const chosen = at === null ? null : whenAt(at, timezone);
  const typed = {
    date: readDate(form['date']) ?? whenAt(now, timezone).date,
    ...{ time: form['time'] ?? '', which: form['which'] },
  };
  const when = chosen ?? whenTyped(typed, timezone, now);
  const services = typedServicesOf(form);
  const [days, choice, told, against] = await Promise.all([
    freeTimes(context, workshop, { day: when.date, ...(services.length > 0 && { service: services }) }),
    serviceFields(context, workshopId, services, refused),
    toldOfNew(visit, form, when),
    againstNew(visit, when, services),
  ]);
  const path = `${base}/bookings/new`;
  const shown = (name: string, of: Omit<Parameters<typeof field>[0], 'name'>) =>
    field({ name, value: form[name], error: faultOf(refused, name), isUnmarked: true, ...of });
  return {
    title: 'New booking',
    main: html`<h1>New booking</h1>${refusal(refused)}
<div class="columns"><div class="stack"><section class="card"${freeTimesFollow(path)}>${changeForm({
      ...{ action: path, id: 'booking' },
      body: html`${enterButton}${form['call'] ? hidden('call', form['call']) : null}<div class="pair">${shown('rego', { label: 'Registration', capitals: 'characters', max: 16 })}${shown('phone', { label: 'Mobile number', type: 'tel' })}</div>
<p class="buttons"><button class="button quiet" formmethod="get" formaction="${path}" formnovalidate>Fill in what is known</button></p>
${whichCustomer(known, form, visit)}
<div class="pair">${shown('name', { label: 'Name', capitals: 'words', hint: 'A name, or a registration, alone is enough.' })}${shown('email', { label: 'E-mail', type: 'email' })}</div>
${choice}
${whenFields(when, refused)}
${textArea({ name: 'notes', label: 'Notes', value: form['notes'], error: faultOf(refused, 'notes'), isUnmarked: true })}
${timeSaidInForm({ against, done: 'booked' })}
${tellFields(told, 'new')}
${conflictFields(refused, timezone, form['reason'] ?? '')}
<p class="buttons">${button('Book')}</p>`,
    })}</section></div><div class="stack">${freeTimesOf(days, path, timezone, { against, done: 'booked' })}</div></div>`,
  };
}

/** What is against the time; until one is typed, against the whole day. */
async function againstNew({ context, workshop }: WorkshopVisit, when: When, service: readonly string[]) {
  const { timezone, workshopId } = workshop;
  const lastTime = '23:59';
  const date = parseTypedTime(
    typedWhen({ ...when, time: when.time || lastTime }),
    timezone,
    context.clock.now(),
  );
  const against = date && (await conflictOfNew(context, workshopId, { date, service }));
  return when.time !== '' || against?.isWholeDay ? against : null;
}

/** The choice between several matching customers. */
function whichCustomer(
  known: readonly KnownCustomer[],
  form: Form,
  { workshop }: WorkshopVisit,
): SafeHtml | null {
  const [one] = known;
  if (one === undefined) return null;
  const chosen = form['customer'] ?? '';
  if (known.length === 1)
    return html`<p class="quiet">Known: <strong>${nameShown(one.name, workshop)}</strong> ${phoneLink(one.phone, workshop)}</p><input type="hidden" name="customer" value="${one.customerId}">${workshop.seesPhones && one.name !== null && one.name !== one.phone ? whichName(one.name, form['knownName'] === 'change') : null}`;
  return html`<fieldset><legend>Which customer?</legend>${known.map(({ customerId, name, phone }) => html`<div class="check"><input type="radio" id="customer-${customerId}" name="customer" value="${customerId}"${customerId === chosen ? html` checked` : null}><label for="customer-${customerId}">${nameShown(name, workshop)} ${workshop.seesPhones && phone ? phone : null}</label></div>`)}<div class="check"><input type="radio" id="customer-none" name="customer" value=""><label for="customer-none">Someone else</label></div></fieldset>`;
}

/** For another name than that of a known customer: the booking has it in any case. */
function whichName(name: string, isChanged: boolean): SafeHtml {
  const choice = (value: 'keep' | 'change', label: string) =>
    html`<div class="check"><input type="radio" id="known-name-${value}" name="knownName" value="${value}"${(value === 'change') === isChanged ? html` checked` : null}><label for="known-name-${value}">${label}</label></div>`;
  return html`<fieldset><legend>Known as <bdi>${name}</bdi></legend><p class="quiet">If you type another name, the booking has it.</p>${choice('keep', 'Keep that name')}${choice('change', 'Change it to the one below')}</fieldset>`;
}
