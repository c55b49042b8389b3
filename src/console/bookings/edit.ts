/** /console/w/{slug}/bookings/{id}/edit: completes or corrects a booking's details. */
import { html } from '@remix-run/html-template';
import { button, buttons, field, linkButton, textArea } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import type { Against } from '#product/bookings/staff/options.ts';
import { changeOwn, conflictOfChange } from '#product/bookings/staff/update.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { changeForm, faultOf, refusal } from '../frame/form.ts';
import { type Refused, submit, versionOf, versionShown } from '../frame/form-key/submit.ts';
import { phoneTyped, textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { changesSince } from '../trail/since.ts';
import { asTyped } from './as-typed.ts';
import { carChanges, carFields, carShown } from './car-fields.ts';
import { doneAt } from './done.ts';
import { nameOf, whenOf } from './facts.ts';
import { jobChanges, jobFields } from './job.ts';
import { followedByForm, type OpenedBooking, openBooking } from './open.ts';
import { changedServices, serviceFields } from './service-fields.ts';
import {
  anywayOf,
  conflictFields,
  pickupFields,
  pickupShown,
  pickupTyped,
  timeSaidFollows,
  timeSaidInForm,
  typedPickup,
  whenAt,
} from './when.ts';

export const askEdit = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  editPage(visit, await openBooking(visit), null);

export async function edit(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { actor, form, workshop } = visit;
  const opened = await openBooking(visit);
  const toOf = ({ against }: Against) => doneAt(opened.path, 'changed', { against, form });
  return submit(
    visit,
    async (key) => {
      const changed = await changeOwn(key.once(toOf), opened.booking, await changesOf(visit, opened), {
        ...{ notify: false, anyway: anywayOf(form), actor, workshopId: workshop.workshopId },
        ...{ seen: versionOf(form), asksClock: true },
      });
      return toOf(changed);
    },
    async (refused) => editPage(visit, await openBooking(visit), refused),
  );
}

/** The booking as values of the fields. */
function shownOf({ booking }: OpenedBooking, workshop: WorkshopVisit['workshop']): Form {
  const { car, customer, notes, pickupTime, timezone } = booking;
  return {
    ...{ rego: car.rego ?? '', name: customer.name ?? '', phone: phoneTyped(customer.phone, workshop) },
    ...{ email: customer.email ?? '', notes: notes ?? '' },
    ...pickupShown(pickupTime === null ? null : new Date(pickupTime), timezone),
  };
}

/** The booked services, as the form offers them. */
const servicesOf = ({ booking }: OpenedBooking): string[] =>
  booking.services.map(({ catalogCode, title }) => catalogCode ?? title ?? '');

/**
 * A name, notes or services with a phone or an e-mail in them are not shown to people without the permission to see these: a
 * masked value would overwrite the stored one.
 */
function editableOf(opened: OpenedBooking, workshop: WorkshopVisit['workshop']) {
  const { customer, notes } = opened.booking;
  const isWhole = (text: string | null) => text === null || textShown(text, workshop) === text;
  return {
    name: isWhole(customer.name),
    notes: isWhole(notes),
    services: isWhole(servicesOf(opened).join(' ')),
  };
}

/** The services that the form changes; null: they stay, or are not to be changed here. */
async function otherServices({ context, workshop }: WorkshopVisit, opened: OpenedBooking, typed: Form) {
  if (!editableOf(opened, workshop).services) return null;
  return changedServices(context, workshop.workshopId, typed, servicesOf(opened));
}

/** Returns the objections to the booking's time with the services of the form or the link; null: none is known. */
async function againstServices(visit: WorkshopVisit, opened: OpenedBooking) {
  const { context, form, query, request } = visit;
  const typed = request.method === 'POST' ? form : query;
  const services = await otherServices(visit, opened, typed);
  return services && conflictOfChange(context, opened.booking.id, { service: services });
}

/** The fields that differ from the booking; people who do not see phones can't change phones and e-mails. */
async function changesOf(visit: WorkshopVisit, opened: OpenedBooking) {
  const { form, workshop } = visit;
  const editable = editableOf(opened, workshop);
  const shown = shownOf(opened, workshop);
  const pairs = [
    ['carRego', 'rego'],
    ...(editable.name ? ([['customerName', 'name']] as const) : []),
    ...(editable.notes ? ([['notes', 'notes']] as const) : []),
    ...(workshop.seesPhones
      ? ([
          ['customerPhone', 'phone'],
          ['customerEmail', 'email'],
        ] as const)
      : []),
  ] as const;
  const changed = pairs.flatMap(([verbs, ours]) => {
    const typed = form[ours];
    return typed === undefined || typed === shown[ours] ? [] : [[verbs, typed] as const];
  });
  const { date, timezone } = opened.booking;
  const bookingsDay = whenAt(new Date(date), timezone).date;
  const pickup = typedPickup(form, bookingsDay);
  const isPickupSame = form['pickupTime'] === undefined || pickup === typedPickup(shown, bookingsDay);
  const services = await otherServices(visit, opened, form);
  return {
    ...Object.fromEntries(changed),
    ...(services && { service: services.length > 0 ? services : [''] }),
    ...(isPickupSame ? {} : { pickupTime: pickup }),
    ...(await carChanges(visit, opened.booking)),
    ...jobChanges(visit, opened.booking),
  };
}

async function editPage(
  visit: WorkshopVisit,
  opened: OpenedBooking,
  refusedBy: Refused | null,
): Promise<ConsolePage> {
  const refused = asTyped(refusedBy);
  const { context, workshop, form, request } = visit;
  const { booking, beside, path } = opened;
  const isSent = request.method === 'POST';
  const car = carShown(visit, booking.car);
  const shown = isSent ? form : { ...shownOf(opened, workshop), ...car };
  const editable = editableOf(opened, workshop);
  const services = (isSent ? await otherServices(visit, opened, form) : null) ?? servicesOf(opened);
  const text = (name: string, verbs: string, of: Omit<Parameters<typeof field>[0], 'name'>) =>
    field({ name, value: shown[name], error: faultOf(refusedBy, verbs), isUnmarked: true, ...of });
  const [choice, changes, against] = await Promise.all([
    serviceFields(context, workshop.workshopId, services, refused),
    changesSince(visit, opened.booking.id, refused),
    againstServices(visit, opened),
  ]);
  return {
    title: `Edit ${nameOf(booking, visit.workshop)}`,
    ...followedByForm(opened),
    main: html`<div class="stack narrow"><h1>Edit ${nameOf(booking, visit.workshop)}</h1><p class="quiet">${whenOf(booking)}. The customer is not told.</p>${refusal(refused, changes)}
<section class="card">${changeForm({
      ...{ action: `${path}/edit`, version: versionShown(form, refused, beside.version) },
      body: html`${text('rego', 'carRego', { label: 'Registration', capitals: 'characters', max: 16 })}${editable.name ? text('name', 'customerName', { label: 'Name', capitals: 'words' }) : null}
${workshop.seesPhones ? html`${text('phone', 'customerPhone', { label: 'Mobile number', type: 'tel' })}${text('email', 'customerEmail', { label: 'E-mail', type: 'email' })}` : null}
${carFields(shown, refused, car)}
${editable.services ? html`<div class="stack"${timeSaidFollows(`${path}/edit`)}>${choice}</div>${timeSaidInForm({ against, done: 'changed' })}` : null}
${pickupFields(pickupTyped(shown, workshop.timezone, context.clock.now()), refused)}
${editable.notes ? textArea({ name: 'notes', label: 'Notes', value: shown['notes'], error: faultOf(refused, 'notes'), isUnmarked: true }) : null}
${jobFields(visit, booking, refused)}
${conflictFields(refused, workshop.timezone, form['reason'] ?? '')}
${buttons(button('Save'), linkButton('Back', path, 'quiet'))}`,
    })}</section></div>`,
  };
}
