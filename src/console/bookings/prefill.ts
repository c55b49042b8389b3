/** The known values of a new booking before anybody types: from the address, from a known rego or number, from another booking. */
import { isId } from '#base/values/id.ts';
import { parsePhone } from '#base/values/phone.ts';
import { redactedContacts } from '#base/values/redacted-contacts.ts';
import { normaliseRego } from '#base/values/rego.ts';
import type { Form } from '#platform/pages/form.ts';
import { findRecord } from '#platform/records/store.ts';
import { bookingRecord } from '#product/bookings/record.ts';
import { titlesOf } from '#product/catalogue/item.ts';
import { listCarsOf } from '#product/customers/cars/store.ts';
import { lookUpKnown } from '#product/customers/known/look-up.ts';
import {
  carsAtMost,
  findKnownById,
  type KnownCar,
  type KnownCustomer,
} from '#product/customers/known/store.ts';
import { findCall } from '../calls/store.ts';
import { letIn } from '../frame/found.ts';
import { phoneTyped } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { carShown } from './car-fields.ts';
import { listsShown } from './job.ts';
import { customerOf } from './store.ts';
import { pickupShown } from './when.ts';

/** The fields, each typed or found, and the customers that they may belong to. */
export interface Prefilled {
  readonly form: Form;
  /** Several: the person has to choose. One: it is used. */
  readonly known: readonly KnownCustomer[];
  /** The known values of the customer and the car, without those that were typed. */
  readonly found: Form;
  /** The customer's cars: of several the person chooses one. */
  readonly cars: { readonly all: readonly KnownCar[]; readonly chosen: KnownCar | null };
  /** The owner of the car, where the typed number is not theirs; null: there is none. */
  readonly ofAnother: KnownCustomer | null;
  /** The registration alone by which customers were found, for the form's next look-up; empty: none, or otherwise. */
  readonly foundFor: string;
}

const nobody = {
  ...{ known: [], found: {}, cars: { all: [], chosen: null } },
  ...{ ofAnother: null, foundFor: '' },
} as const;

/**
 * Typed values win over found ones. Nothing of another workshop is found. Over the limit of customers that are shown nobody is found: a
 * booking is still possible by typing everything.
 */
export async function prefilled(visit: WorkshopVisit, sent: Form): Promise<Prefilled> {
  const typed = await withoutFormer(visit, sent);
  const another = await fromAnother(visit, typed);
  const given = { ...withoutMasked(visit, another.form), ...filledIn(typed) };
  const known = await knownOf(visit, given);
  const shown = [...known.map(({ customerId }) => customerId), ...another.customerIds];
  if (!(await letIn(visit, shown)).isLetIn) return { form: filledIn(typed), ...nobody };
  const one = chosenAmong(known, given);
  const by = foundFor(sent, given, known);
  if (one === undefined) return { ...nobody, form: given, known, foundFor: by };
  const { cars } = one;
  const chosen = chosenOf(cars, given) ?? (await furtherCar(visit, one, given));
  const car = chosen === null ? {} : filledIn({ rego: chosen.rego ?? '', ...carShown(visit, chosen) });
  if (isOfAnother(visit, one, given)) {
    const { customer: _, ...form } = { ...car, ...given };
    return { ...nobody, form, found: car, ofAnother: one };
  }
  const found = filledIn({ ...personShown(visit, one), ...car });
  const whose = { ...found, customer: one.customerId };
  // A button of a car replaces what the form has of another one.
  const form = given['car'] === chosen?.carId ? { ...whose, ...given, ...car } : { ...whose, ...given };
  return { form, known, found, cars: { all: cars, chosen }, ofAnother: null, foundFor: by };
}

const chosenAmong = (known: readonly KnownCustomer[], { customer }: Form): KnownCustomer | undefined =>
  known.length === 1 ? known[0] : known.find(({ customerId }) => customerId === customer);

/** A number that was typed decides whose a booking is: somebody who was found by their car has another one. */
function isOfAnother({ workshop }: WorkshopVisit, { phone }: KnownCustomer, given: Form): boolean {
  const typed = workshop.seesPhones ? parsePhone(given['phone'] ?? '', workshop.country) : null;
  return typed !== null && phone !== null && typed !== phone;
}

/** A known customer's details, as values of the fields. */
const personShown = (visit: WorkshopVisit, { name, phone, email }: KnownCustomer): Form => ({
  name: name === phone ? '' : nameSeen(visit, name ?? ''),
  ...(visit.workshop.seesPhones ? { phone: phoneTyped(phone, visit.workshop), email: email ?? '' } : {}),
});

/** The typed registration, unless a number was typed, or the form was opened for a customer. */
function foundFor(
  { customer, foundFor: former }: Form,
  given: Form,
  known: readonly KnownCustomer[],
): string {
  const isChosen = Boolean(customer) && !former;
  const rego = normaliseRego(given['rego'] ?? '');
  return known.length > 0 && given['phone'] === undefined && !isChosen ? rego : '';
}

/**
 * The form without what the look-up of a registration has filled in, since its number would find the same customer again, whatever is
 * corrected or chosen now. What was typed over stays; of another registration the customer is another one too.
 */
async function withoutFormer(visit: WorkshopVisit, form: Form): Promise<Form> {
  const { foundFor: former = '', customer, ...typed } = form;
  if (former === '') return form;
  const known = await knownOf(visit, { rego: former });
  const ids = known.map(({ customerId }) => customerId);
  if (!(await letIn(visit, ids)).isLetIn) return form;
  const filled = known.map((one): Form => {
    const [car] = one.cars;
    return { ...personShown(visit, one), ...(car && carShown(visit, car)) };
  });
  const isTheirs = (number: string) =>
    known.some(({ phone }) => phone !== null && phone === parsePhone(number, visit.workshop.country));
  const isFilledIn = (name: string, value: string) =>
    name === 'phone' ? isTheirs(value) : filled.some((its) => its[name] === value);
  const rest = Object.entries(typed).filter(([name, value]) => !isFilledIn(name, value));
  const isSame = normaliseRego(form['rego'] ?? '') === former;
  return { ...Object.fromEntries(rest), ...(isSame && customer && { customer }) };
}

/** By its button, else by the typed registration, else the only one. */
function chosenOf(cars: readonly KnownCar[], { car, rego = '' }: Form): KnownCar | null {
  const only = cars.length === 1 && rego === '' ? cars[0] : undefined;
  const typed = normaliseRego(rego);
  return (
    cars.find(({ carId }) => carId === car) ??
    cars.find((each) => each.rego === typed && typed !== '') ??
    only ??
    null
  );
}

/** The car of the typed registration, of a customer with more cars than are offered. */
async function furtherCar(
  { context }: WorkshopVisit,
  { customerId, cars }: KnownCustomer,
  { rego = '' }: Form,
): Promise<KnownCar | null> {
  const typed = normaliseRego(rego);
  if (cars.length < carsAtMost || typed === '') return null;
  const all = await listCarsOf(context.db, customerId);
  return all.find((each) => each.rego === typed) ?? null;
}

const texts = ['notes', 'jobNotes', 'parts', 'service', 'service2', 'service3', 'other'] as const;

/** Phones and e-mails are not filled in for people who may not see them. */
function withoutMasked(visit: WorkshopVisit, { phone, email, ...form }: Form): Form {
  if (visit.workshop.seesPhones) return filledIn({ ...form, phone: phone ?? '', email: email ?? '' });
  const masked = texts.map((field) => [field, redactedContacts(form[field] ?? '')] as const);
  return filledIn({ ...form, ...Object.fromEntries(masked), name: nameSeen(visit, form['name'] ?? '') });
}

/** Empty when it contains a phone or e-mail that the person may not see: fields that are not sent keep their stored value. */
const nameSeen = ({ workshop }: WorkshopVisit, name: string): string =>
  workshop.seesPhones || redactedContacts(name) === name ? name : '';

/**
 * The recipients of a new booking's notices: typed values, or the stored ones of the chosen customer when the person may not see
 * them.
 */
export async function contactOf(
  { context, workshop }: WorkshopVisit,
  form: Form,
): Promise<{ readonly phone: string; readonly email: string; readonly hidesNumbers?: 'typed' | 'filledIn' }> {
  const typed = { phone: form['phone'] ?? '', email: form['email'] ?? '' };
  const customer = form['customer'] ?? '';
  if (workshop.seesPhones) return typed;
  const hidesNumbers = typed.phone.trim() === '' ? 'filledIn' : 'typed';
  if (!isId(customer)) return { ...typed, hidesNumbers };
  const [known] = await findKnownById(context.db, workshop.workshopId, customer);
  const phone = hidesNumbers === 'typed' ? typed.phone : (known?.phone ?? '');
  return { phone, email: typed.email || (known?.email ?? ''), hidesNumbers };
}

const filledIn = (form: Form): Form =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''));

async function knownOf({ context, workshop }: WorkshopVisit, form: Form): Promise<readonly KnownCustomer[]> {
  const { db } = context;
  const { workshopId } = workshop;
  const { rego, customer } = form;
  const phone = workshop.seesPhones ? form['phone'] : undefined;
  if (rego || phone) return lookUpKnown(db, workshop, { ...(rego && { rego }), ...(phone && { phone }) });
  return customer && isId(customer) ? findKnownById(db, workshopId, customer) : [];
}

interface Another {
  readonly form: Form;
  /** The customers that the form shows. */
  readonly customerIds: readonly string[];
}

/** `like`: another booking. `call`: a missed call. `conversation`: a conversation of the inbox. */
async function fromAnother(visit: WorkshopVisit, { like, call, conversation }: Form): Promise<Another> {
  const { db } = visit.context;
  const { workshopId } = visit.workshop;
  const booking = like && isId(like) ? await findRecord(db, bookingRecord, { id: like }) : null;
  if (booking && booking.workshopId === workshopId) {
    const [service, service2, service3] = booking.services.map(
      ({ catalogCode, title }) => catalogCode ?? title ?? '',
    );
    // The form has no fields for more: they are named.
    const other = titlesOf(booking.services.slice(3)).join(', ');
    const { customer, car, notes, pickupTime, timezone, date: at } = booking;
    const { name, phone, email } = customer;
    const form = {
      rego: car.rego ?? '',
      name: name ?? '',
      phone: phoneTyped(phone, visit.workshop),
      email: email ?? '',
    };
    const services = {
      service: service ?? '',
      service2: service2 ?? '',
      service3: service3 ?? '',
      other,
    };
    return {
      form: filledIn({
        ...{ ...form, ...services, notes: notes ?? '', at },
        ...carShown(visit, car),
        ...listsShown(booking),
        ...pickupShown(pickupTime === null ? null : new Date(pickupTime), timezone),
      }),
      customerIds: [booking.customerId],
    };
  }
  const lead = call && isId(call) ? await findCall(db, workshopId, call) : null;
  if (lead !== null)
    return {
      form: filledIn({ phone: phoneTyped(lead.phone, visit.workshop), name: lead.callerName ?? '' }),
      customerIds: lead.customerId === null ? [] : [lead.customerId],
    };
  const customerId =
    conversation && isId(conversation) ? await customerOf(db, workshopId, conversation) : null;
  return { form: customerId ? { customer: customerId } : {}, customerIds: [] };
}
