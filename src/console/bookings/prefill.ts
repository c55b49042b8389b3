/** The known values of a new booking before anybody types: from the address, from a known rego or number, from another booking. */
import { isId } from '#base/values/id.ts';
import { redactedContacts } from '#base/values/redacted-gateway-text.ts';
import type { Form } from '#platform/pages/form.ts';
import { findRecord } from '#platform/records/store.ts';
import { bookingRecord } from '#product/bookings/record.ts';
import { lookUpKnown } from '#product/customers/known/look-up.ts';
import { findKnownById, type KnownCustomer } from '#product/customers/known/store.ts';
import { callRecord } from '#product/leads/record.ts';
import { letIn } from '../frame/found.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { customerOf } from './store.ts';

/** The fields, each typed or found, and the customers that they may belong to. */
export interface Prefilled {
  readonly form: Form;
  /** Several: the person has to choose. One: it is used. */
  readonly known: readonly KnownCustomer[];
}

/** Typed values win over found ones. Nothing of another workshop is found. */
export async function prefilled(visit: WorkshopVisit, typed: Form): Promise<Prefilled> {
  const given = { ...withoutMasked(visit, await fromAnother(visit, typed)), ...filledIn(typed) };
  const known = await letInOf(visit, await knownOf(visit, given));
  const one =
    known.length === 1 ? known[0] : known.find(({ customerId }) => customerId === given['customer']);
  if (one === undefined) return { form: given, known };
  const found: Form = {
    name: one.name === one.phone ? '' : nameSeen(visit, one.name ?? ''),
    ...(visit.workshop.seesPhones ? { phone: one.phone ?? '', email: one.email ?? '' } : {}),
    rego: one.cars[0]?.rego ?? '',
    customer: one.customerId,
  };
  return { form: { ...filledIn(found), ...given }, known };
}

const texts = ['notes', 'service', 'service2', 'service3'] as const;

/** Phones and e-mails are not filled in for people who may not see them. */
function withoutMasked(visit: WorkshopVisit, { phone, email, ...form }: Form): Form {
  if (visit.workshop.seesPhones) return filledIn({ ...form, phone: phone ?? '', email: email ?? '' });
  const masked = texts.map((field) => [field, redactedContacts(form[field] ?? '')] as const);
  return filledIn({ ...form, ...Object.fromEntries(masked), name: nameSeen(visit, form['name'] ?? '') });
}

/** Empty when it contains a phone or e-mail that the person may not see: fields that are not sent keep their stored value. */
const nameSeen = ({ workshop }: WorkshopVisit, name: string): string =>
  workshop.seesPhones || redactedContacts(name) === name ? name : '';

/** Over the session's limit of look-ups nobody is found: a booking is still possible by typing everything. */
async function letInOf(
  visit: WorkshopVisit,
  known: readonly KnownCustomer[],
): Promise<readonly KnownCustomer[]> {
  const ids = known.map(({ customerId }) => customerId);
  return ids.length > 0 && (await letIn(visit, ids)).isLetIn ? known : [];
}

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

/** `like`: another booking. `call`: a missed call. `conversation`: a conversation of the inbox. */
async function fromAnother(
  { context, workshop }: WorkshopVisit,
  { like, call, conversation }: Form,
): Promise<Form> {
  const { db } = context;
  const { workshopId } = workshop;
  const booking = like && isId(like) ? await findRecord(db, bookingRecord, { id: like }) : null;
  if (booking && booking.workshopId === workshopId) {
    const [service, service2, service3] = booking.services.map(
      ({ catalogCode, title }) => catalogCode ?? title ?? '',
    );
    return filledIn({
      ...{
        rego: booking.car.rego ?? '',
        name: booking.customer.name ?? '',
        phone: booking.customer.phone ?? '',
      },
      ...{ email: booking.customer.email ?? '', notes: booking.notes ?? '', at: booking.date },
      ...{ service: service ?? '', service2: service2 ?? '', service3: service3 ?? '' },
    });
  }
  const lead = call && isId(call) ? await findRecord(db, callRecord, { id: call }) : null;
  if (lead && lead.workshopId === workshopId)
    return filledIn({ phone: lead.callerPhone ?? '', name: lead.customerName ?? '' });
  const customerId =
    conversation && isId(conversation) ? await customerOf(db, workshopId, conversation) : null;
  return customerId ? { customer: customerId } : {};
}
