/** The form of a new booking, with free times beside it. */
import { html } from '@remix-run/html-template';
import { parseTypedTime } from '#base/values/typed-time.ts';
import { button, field, hidden, textArea } from '#platform/pages/components.ts';
import { readDate } from '#platform/pages/form.ts';
import { conflictOfNew } from '#product/bookings/staff/create.ts';
import { freeTimes } from '#product/bookings/staff/free-times.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { scriptPath } from '../frame/files.ts';
import { changeForm, enterButton, faultOf, refusal } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { asTyped } from './as-typed.ts';
import { carFields } from './car-fields.ts';
import { hereField, withTimeHere } from './here.ts';
import { listFields } from './job.ts';
import { knownOf } from './known-view.ts';
import type { Prefilled } from './prefill.ts';
import { serviceFields, typedServicesOf } from './service-fields.ts';
import { askedMark, isTicked, tellFields, toldOfNew } from './tell.ts';
import {
  conflictFields,
  freeTimesFollow,
  freeTimesOf,
  pickupFields,
  pickupTyped,
  timeSaidInForm,
  typedWhen,
  type When,
  whenAt,
  whenFields,
  whenTyped,
} from './when.ts';

export async function newPage(
  visit: WorkshopVisit,
  prefilled: Prefilled,
  refusedBy: Refused | null,
): Promise<ConsolePage> {
  const { context, workshop, base } = visit;
  const form = withTimeHere(visit, prefilled.form);
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
    scripts: [scriptPath('known.mjs')],
    main: html`<h1>New booking</h1>${refusal(refused)}
<div class="columns"><div class="stack"><section class="card"${freeTimesFollow(path)}>${changeForm({
      ...{ action: path, id: 'booking' },
      body: html`${enterButton}${askedMark}${form['call'] ? hidden('call', form['call']) : null}<p class="hint">A name, or a registration, alone is enough.</p>
<div class="pair">${shown('rego', { label: 'Registration', capitals: 'characters', max: 16 })}${shown('phone', { label: 'Mobile number', type: 'tel' })}</div>
<p class="buttons"><button class="button quiet" formmethod="get" formaction="${path}" formnovalidate>Fill in what is known</button></p>
${knownOf(prefilled, visit, path)}
<div class="pair">${shown('name', { label: 'Name', capitals: 'words' })}${shown('email', { label: 'E-mail', type: 'email' })}</div>
${carFields(form, refused)}
${choice}
${whenFields(when, refused, false)}
${hereField(visit, form, refused)}
${pickupFields(pickupTyped(form, timezone, now), refused)}
${textArea({ name: 'notes', label: 'Notes', value: form['notes'], error: faultOf(refused, 'notes'), isUnmarked: true })}
${listFields((name) => form[name] ?? '', refused, 2_000)}
<div class="check"><input type="checkbox" id="confirmed" name="confirmed" value="yes"${isTicked(visit, 'confirmed') ? html` checked` : null}><label for="confirmed">Confirmed</label></div>
${timeSaidInForm({ against, done: 'booked' })}
${tellFields(told, 'new')}
${conflictFields(refused, timezone, form['reason'] ?? '')}
<p class="buttons">${button('Book')}</p>`,
    })}</section></div><div class="stack">${freeTimesOf(days, path, timezone, { against, done: 'booked' })}</div></div>`,
  };
}

/** Returns the objections to the time; until one is typed, to the whole day. */
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
