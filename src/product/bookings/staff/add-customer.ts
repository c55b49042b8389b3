/** Staff add a customer, who need have neither booked nor written (specification: The workshop's own bookings). Nobody is told. */
import { Type } from 'typebox';
import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { splitName } from '#base/values/person-name.ts';
import { normaliseRego } from '#base/values/rego.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { anyText, email, optional } from '#platform/http/fields.ts';
import { judgePhone } from '#platform/http/phone-field.ts';
import { valueReader } from '#platform/http/validation.ts';
import { insertAdded } from '#product/customers/add/store.ts';
import { findKnownByPhone, type KnownCustomer } from '#product/customers/known/store.ts';
import { ofCustomer } from '#product/customers/trail.ts';
import { partOf, valuesOf } from '#product/orders/field.ts';
import { carFields, orderFields } from '#product/orders/fields.ts';
import type { Workshop } from '#product/workshops/store.ts';

/** As typed; an empty text counts as absent. The fields of a car need no registration. */
export interface CustomerInput {
  readonly customerName?: string;
  /** In any form of the workshop's country. */
  readonly customerPhone?: string;
  readonly customerEmail?: string;
  readonly customerCompany?: string;
  readonly carRego?: string;
  readonly carMake?: string;
  readonly carModel?: string;
  readonly carYear?: string;
  readonly carVin?: string;
}

/** The number is of a customer whom the workshop knows. */
export class KnownNumber extends InvalidInput {
  readonly known: KnownCustomer;

  constructor(known: KnownCustomer) {
    super([{ field: 'customerPhone', message: 'is the number of a customer of yours' }]);
    this.known = known;
  }
}

const readCustomer = valueReader(
  Type.Object({
    customerName: optional(anyText()),
    customerEmail: optional(email()),
    customerCompany: orderFields.customerCompany.body,
    carRego: optional(anyText({ max: 32, of: 'spaced' })),
    ...partOf(carFields, 'body'),
  }),
  'customer',
);

interface Read {
  readonly customerName?: string;
  readonly customerEmail?: string;
  readonly customerCompany?: string;
  readonly carRego?: string;
  readonly carYear?: number;
}

const nobody = { field: 'customerName', message: 'is needed, or a mobile number, or a registration' };

/**
 * Returns the new customer's id. One commit. Throws InvalidInput that names every bad field, and KnownNumber, also where somebody
 * adds the same number meanwhile.
 */
export async function addCustomer(
  context: ChangeContext,
  { workshopId, country }: Pick<Workshop, 'workshopId' | 'country'>,
  input: CustomerInput,
  actor: Actor,
): Promise<string> {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value.trim() !== ''));
  const { customerPhone, carYear, ...texts } = given;
  const { value, errors } = readCustomer({
    ...texts,
    ...(carYear !== undefined && { carYear: /^\s*\d{1,4}\s*$/.test(carYear) ? Number(carYear) : carYear }),
  });
  const { phone, found } = await judgePhone('customerPhone', customerPhone, async () => country);
  const isNobody = !given['customerName'] && !customerPhone && !given['carRego'];
  const faults = [...errors, ...found, ...(isNobody ? [nobody] : [])];
  if (faults.length > 0) throw new InvalidInput(faults);
  const { customerName: name = null, customerEmail, customerCompany, carRego, ...car } = value as Read;
  const rego = carRego === undefined ? null : normaliseRego(carRego);
  const customerId = newId();
  const after = { name, phone, email: customerEmail ?? null, company: customerCompany ?? null, rego };
  const customer = {
    ...{ ...after, customerId, workshopId, ...splitName(name ?? '') },
    ...{ carId: newId(), hasCar: rego !== null || Object.keys(car).length > 0, carRego: rego },
    ...valuesOf(carFields, car),
  };
  return change(context, async ({ tx, now }) => {
    if (!(await insertAdded(tx, { ...customer, now }))) {
      const [known] = await findKnownByPhone(tx, workshopId, phone ?? '');
      throw known === undefined ? new Error('a number is taken by no customer') : new KnownNumber(known);
    }
    await recordEntry(tx, { ...ofCustomer({ customerId, workshopId }, actor, 'added', now), after });
    return customerId;
  });
}
