/** /console/w/{slug}/customers/{id}/car?car={carId}: corrects make, model, year and VIN of a customer's car. */
import { createHash } from 'node:crypto';
import { html } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { button, buttons, hidden, linkButton } from '#platform/pages/components.ts';
import { correctCustomersCar } from '#product/bookings/staff/correct-car.ts';
import { findApart } from '#product/customers/apart/store.ts';
import { type CarRecord, listCarsOf, ownerOfCar } from '#product/customers/cars/store.ts';
import { findRows } from '#product/customers/merged/store.ts';
import { asTyped } from '../bookings/as-typed.ts';
import { carFields, carShown, typedCar } from '../bookings/car-fields.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { changeForm, refusal } from '../frame/form.ts';
import { type Refused, submit, versionOf, versionShown } from '../frame/form-key/submit.ts';
import { nameShown, textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { customerChangesSince } from './changed.ts';
import { followedByForm, type OpenedCustomer, openCustomer } from './open.ts';

interface OpenedCar extends OpenedCustomer {
  readonly car: CarRecord;
  /** The id of its owner: the customer, or somebody apart whose cars stand on their page. */
  readonly ownerId: string;
}

/** The car that the address or the form names, else the first. Throws 404 for another customer's. */
async function openCar(visit: WorkshopVisit): Promise<OpenedCar> {
  const { db } = visit.context;
  const opened = await openCustomer(visit);
  const name = visit.form['car'] ?? visit.query['car'];
  const ownerId = (await ownerApart(visit, opened, name ?? '')) ?? opened.customer.customerId;
  const cars = await listCarsOf(db, ownerId);
  const car = name === undefined ? cars[0] : cars.find(({ carId }) => carId === name);
  if (car === undefined) throw new Problem('000002');
  return { ...opened, car, ownerId };
}

/** For who sees phones: the customer apart with their number whose car it is. */
async function ownerApart(
  { context: { db }, workshop: { workshopId, seesPhones } }: WorkshopVisit,
  { customer: { customerId } }: OpenedCustomer,
  carId: string,
): Promise<string | null> {
  if (!seesPhones || !isId(carId)) return null;
  const { ids } = await findRows(db, workshopId, customerId);
  const apart = await findApart(db, ids);
  return apart.length === 0 ? null : ownerOfCar(db, { workshopId, carId, customerIds: apart });
}

/** The most that a form's version may be. */
const versionAtMost = 999_999_999;

/** Changes with each of the details. */
function versionOfCar({ make, model, year, vin }: CarRecord): number {
  const hash = createHash('sha256').update(JSON.stringify([make, model, year, vin]));
  return (hash.digest().readUInt32BE() % versionAtMost) + 1;
}

export const askCar = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  carPage(visit, await openCar(visit), null);

export async function correctCar(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { actor, form, workshop } = visit;
  const { ownerId, car, path } = await openCar(visit);
  const shown = carShown(visit, car);
  const to = `${path}?done=changed`;
  return submit(
    visit,
    async (key) => {
      await correctCustomersCar(key.once(to), {
        ...{ workshopId: workshop.workshopId, customerId: ownerId, carId: car.carId, actor },
        // All that the form shows: an upcoming booking may differ where the car does not.
        changes: typedCar(
          Object.fromEntries(Object.entries(form).filter(([name]) => Object.hasOwn(shown, name))),
        ),
        isAsSeen: (present) => versionOfCar(present) === versionOf(form),
        alsoUpcoming: form['alsoUpcoming'] === 'yes',
      });
      return to;
    },
    async (refused) => carPage(visit, await openCar(visit), refused),
  );
}

async function carPage(
  visit: WorkshopVisit,
  { customer, car, path }: OpenedCar,
  refusedBy: Refused | null,
): Promise<ConsolePage> {
  const { workshop, form, request } = visit;
  const refused = asTyped(refusedBy);
  const shown = carShown(visit, car);
  const name = car.rego ?? textShown([car.make, car.model].filter(Boolean).join(' ') || 'the car', workshop);
  return {
    title: `Correct ${name}`,
    ...followedByForm(customer),
    current: 'Customers',
    main: html`<div class="stack narrow"><h1>Correct ${name}</h1><p class="quiet">A car of ${nameShown(customer.name, workshop)}. The customer is not told.</p>
${refusal(refused, await customerChangesSince(visit, customer.customerId, refused))}
<section class="card">${changeForm({
      ...{ action: `${path}/car`, version: versionShown(form, refused, versionOfCar(car)) },
      body: html`${hidden('car', car.carId)}${carFields(request.method === 'POST' ? form : shown, refused, shown)}
<div class="check"><input type="checkbox" id="alsoUpcoming" name="alsoUpcoming" value="yes"${form['alsoUpcoming'] === 'yes' ? html` checked` : null}><label for="alsoUpcoming">Also change upcoming bookings</label></div>
<p class="quiet">Partners hear of their bookings that change. Another registration is another car: Edit of a booking takes it.</p>
${buttons(button('Save'), linkButton('Back', path, 'quiet'))}`,
    })}</section></div>`,
  };
}
