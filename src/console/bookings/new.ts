/** /console/w/{slug}/bookings/new: a booking for someone who calls or walks in. */
import { parseTypedTime } from '#base/values/typed-time.ts';
import { change } from '#platform/change/change.ts';
import { createOwnBooking } from '#product/bookings/staff/create.ts';
import type { Against } from '#product/bookings/staff/options.ts';
import { endCall } from '#product/leads/call-back/mark.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { type Refused, submit } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { typedCar } from './car-fields.ts';
import { doneAt } from './done.ts';
import { isHere, typedTimeOf, withTimeHere } from './here.ts';
import { typedLists } from './job.ts';
import { newPage } from './new-view.ts';
import { contactOf, prefilled } from './prefill.ts';
import { typedServicesOf } from './service-fields.ts';
import { isTold } from './tell.ts';
import { anywayOf, typedPickup, whenAt } from './when.ts';

export async function askNew(visit: WorkshopVisit): Promise<ConsolePage> {
  return newPage(visit, await prefilled(visit, visit.query), null);
}

export async function book(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { actor, form, workshop, base } = visit;
  const { workshopId } = workshop;
  const pathOf = ({ id, against }: { readonly id: string } & Against) =>
    doneAt(`${base}/bookings/${id}`, 'booked', { against, form });
  return submit(
    visit,
    async (key) => {
      const input = await inputOf(visit);
      const options = { notify: isTold(form), anyway: anywayOf(form), actor };
      const made = await change(key.once(pathOf), async ({ tx, within, now: at }) => {
        const asked = { ...options, asksClock: true, asksPastDay: true };
        const booking = await createOwnBooking(within, workshopId, input, asked);
        await endCall(tx, { workshopId, callId: form['call'] ?? '', actor, at });
        return booking;
      });
      return pathOf(made);
    },
    async (refused: Refused) => newPage(visit, await prefilled(visit, form), refused),
  );
}

/** The form's fields in the form of the verb's input. */
async function inputOf(visit: WorkshopVisit) {
  const { form, workshop } = visit;
  const customerId = form['customer'];
  const { phone, email, hidesNumbers } = await contactOf(visit, form);
  const bookingTime = typedTimeOf(withTimeHere(visit, form));
  return {
    carRego: form['rego'] ?? '',
    bookingTime,
    pickupTime: typedPickup(form, dayOf(bookingTime, visit)),
    customerName: form['name'] ?? '',
    customerPhone: phone,
    customerEmail: email,
    service: typedServicesOf(form),
    notes: form['notes'] ?? '',
    ...typedCar(form),
    ...typedLists(form),
    ...{ isPending: form['confirmed'] !== 'yes', isHere: isHere(form) },
    ...(customerId ? { customerId } : {}),
    keepsName: !(workshop.seesPhones && form['knownName'] === 'change'),
    ...(hidesNumbers && { hidesNumbers }),
  };
}

/** The local day of a typed time; empty when it is invalid. */
function dayOf(typed: string, { context, workshop: { timezone } }: WorkshopVisit): string {
  const at = parseTypedTime(typed, timezone, context.clock.now());
  return at === null ? '' : whenAt(at, timezone).date;
}
