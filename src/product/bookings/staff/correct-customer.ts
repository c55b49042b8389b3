/**
 * Staff correct a customer's name, phone or e-mail, and optionally their upcoming bookings, which partners get as events. No
 * notices are sent.
 */

import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { ownValue } from '#base/values/own-value.ts';
import { splitName } from '#base/values/person-name.ts';
import { type FieldError, Problem } from '#errors.ts';
import { changesOf } from '#platform/audit/changes.ts';
import { type Change, type ChangeContext, change } from '#platform/change/change.ts';
import { violatedConstraint } from '#platform/db/errors.ts';
import { recordEvent } from '#platform/events/record.ts';
import { judgePhone } from '#platform/http/phone-field.ts';
import { valueReader } from '#platform/http/validation.ts';
import { holdCustomer } from '#product/customers/hold.ts';
import { findOtherPhones } from '#product/customers/merged/store.ts';
import {
  type CorrectedDetails,
  type CustomerRecord,
  correctCustomerRow,
  requireCustomer,
} from '#product/customers/store.ts';
import { phoneConstraint } from '#product/customers/walk-ins/store.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { UpdateBookingBody } from '../schema.ts';
import { updateBooking } from '../update.ts';
import { lockUpcoming } from './store.ts';

/** As typed; an absent field stays. */
export interface CorrectionInput {
  readonly name?: string;
  /** In any form of the workshop's country. */
  readonly phone?: string;
  /** Empty: clears it. */
  readonly email?: string;
}

export interface CorrectCustomer {
  readonly workshopId: string;
  readonly customerId: string;
  /** The version of the customer that the form showed. */
  readonly seen: number;
  readonly changes: CorrectionInput;
  /** True: upcoming bookings get the same values; false: they stay unchanged. */
  readonly alsoUpcoming: boolean;
  readonly actor: Actor;
}

export interface Corrected {
  readonly customer: CustomerRecord;
  /** The ids of the bookings that changed too. */
  readonly bookings: readonly string[];
}

const readDetails = valueReader(UpdateBookingBody, 'customer');

/**
 * One commit. Throws InvalidInput that names every bad field, including a phone of another customer; 404 040001, also for an erased
 * customer; 412 000010 when the customer has changed since the form was shown.
 */
export async function correctCustomer(context: ChangeContext, request: CorrectCustomer): Promise<Corrected> {
  const { country } = await requireWorkshop(context.db, request.workshopId);
  const given = await judge(request.changes, country);
  return change(context, (made) =>
    correct(made, request, given).catch((error: unknown) => {
      throw violatedConstraint(error) === phoneConstraint ? phoneTaken() : error;
    }),
  );
}

const phoneTaken = () =>
  new InvalidInput([{ field: 'phone', message: 'is the number of another customer of this workshop' }]);

interface Given {
  readonly name?: string;
  readonly phone?: string;
  readonly email?: string;
}

async function judge({ name, phone: typed, email }: CorrectionInput, country: string): Promise<Given> {
  const { value, errors } = readDetails({
    ...(name !== undefined && { customerName: name }),
    ...(email !== undefined && email.trim() !== '' && { customerEmail: email }),
  });
  const { phone, found } = await judgePhone('phone', typed, async () => country);
  const names: Readonly<Record<string, string>> = { customerName: 'name', customerEmail: 'email' };
  const faults: FieldError[] = errors.map((each) => ({
    ...each,
    field: ownValue(names, each.field) ?? each.field,
  }));
  if (faults.length + found.length > 0) throw new InvalidInput([...faults, ...found]);
  const body = value as UpdateBookingBody;
  return {
    ...(body.customerName !== undefined && { name: body.customerName }),
    ...(phone !== null && { phone }),
    ...(email !== undefined && { email: body.customerEmail ?? '' }),
  };
}

async function correct(
  { tx, now, within }: Change,
  { workshopId, customerId, seen, alsoUpcoming, actor }: CorrectCustomer,
  given: Given,
): Promise<Corrected> {
  // Lock bookings before their customer, as an update does.
  const upcoming = alsoUpcoming ? await lockUpcoming(tx, workshopId, { customerId, from: now }) : [];
  const before = await holdCustomer(tx, workshopId, customerId, seen);
  if (before.erasedAt !== null) throw new Problem('040001');
  if (given.phone !== undefined && (await findOtherPhones(tx, workshopId, customerId)).includes(given.phone))
    throw new InvalidInput([{ field: 'phone', message: 'is a further number of this customer already' }]);
  await correctCustomerRow(tx, customerId, detailsOf(before, given), now);
  const bookings: string[] = [];
  for (const bookingId of upcoming) {
    if (await correctBooking(within, { bookingId, actor, given })) bookings.push(bookingId);
  }
  const customer = await requireCustomer(tx, customerId);
  const corrected = { customer, bookings };
  if (customer.version === before.version && bookings.length === 0) return corrected;
  const { name, email, phone } = customer;
  await recordEvent(tx, {
    ...{ id: newId(), kind: 'customer.corrected', partnerId: null, workshopId, subjectId: customerId },
    ...{ version: customer.version, occurredAt: now, actor },
    ...changesOf(shownOf(before), shownOf(customer)),
    payload: { customerId, customer: { id: customerId, workshopId, name, email, phone } },
  });
  return corrected;
}

const shownOf = ({ name, email, phone }: CustomerRecord) => ({ name, email, phone });

function detailsOf(before: CustomerRecord, { name, email, phone }: Given): CorrectedDetails {
  return {
    ...(name === undefined
      ? { name: before.name, firstName: before.firstName, lastName: before.lastName }
      : { name, ...splitName(name) }),
    email: email === undefined ? before.email : email || null,
    phone: phone ?? before.phone,
  };
}

/** Other details of the booking stay; false: it has the values already. */
async function correctBooking(
  context: ChangeContext,
  of: { readonly bookingId: string; readonly actor: Actor; readonly given: Given },
): Promise<boolean> {
  const { bookingId, actor, given } = of;
  const { name, email, phone = null } = given;
  const body = {
    ...(name !== undefined && { customerName: name }),
    ...(email !== undefined && { customerEmail: email }),
    ...(phone !== null && { customerPhone: phone }),
    skipNotification: true,
  };
  const { eventId } = await updateBooking(context, { actor, bookingId, body, phone });
  return eventId !== null;
}
