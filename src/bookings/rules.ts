/** Pure decisions about changing a booking (document, 4.2; decisions, section 4). */

import { normaliseRego } from '#values/rego.ts';
import type { BookingContent } from './columns.ts';
import { contactName, instantOf, servicesJson } from './content.ts';
import type { Booking, BookingStatus, UpdateBookingBody } from './schema.ts';

export interface NextState {
  readonly content: BookingContent;
  readonly interval: number | null;
  readonly carRego: string;
  /** Names of the body's fields whose value differs from the present one. */
  readonly changed: readonly string[];
}

/** In a completed or cancelled booking only these fields may change. */
const alwaysEditable = new Set(['notes', 'jobNotes', 'productNotes']);
const final: ReadonlySet<BookingStatus> = new Set(['completed', 'cancelled']);

/** The present state with the sent fields; `phone` is the sent customerPhone as E.164. */
export function nextState(present: Booking, body: UpdateBookingBody, phone: string | null): NextState {
  const changed: string[] = [];
  // An absent field stays; a field sent as null is cleared.
  function take<K extends keyof UpdateBookingBody, T>(
    field: K,
    now: T,
    read: (sent: NonNullable<UpdateBookingBody[K]>) => T,
    cleared: T,
  ): T {
    const sent = body[field];
    if (sent === undefined) return now;
    const next = sent === null ? cleared : read(sent);
    if (JSON.stringify(next) !== JSON.stringify(now)) changed.push(field);
    return next;
  }
  const same = <T>(value: T): T => value;

  const date = take('date', instantOf(present.date), instantOf, instantOf(present.date));
  const pickup = present.pickupTime === null ? null : instantOf(present.pickupTime);
  const content: BookingContent = {
    date,
    pickupTime: take('pickupTime', pickup, instantOf, null),
    serviceCategory: take('serviceCategory', present.serviceCategory, same, null),
    servicePackageType: take('servicePackageType', present.servicePackageType, same, null),
    services: take('services', servicesJson(present.services), servicesJson, '[]'),
    ...contactName(take('customerName', present.customer.name, same, present.customer.name)),
    contactEmail: take('customerEmail', present.customer.email ?? '', same, present.customer.email ?? ''),
    contactPhone: take(
      'customerPhone',
      present.customer.phone ?? '',
      () => phone ?? '',
      present.customer.phone ?? '',
    ),
    contactCompany: take('customerCompany', present.customerCompany, same, null),
    notes: take('notes', present.notes, same, null),
    jobNotes: take('jobNotes', present.jobNotes, same, []),
    productNotes: take('productNotes', present.productNotes, same, []),
    tyreQuantities: take('tyreQuantities', present.tyreQuantities, same, null),
  };
  const interval = take('interval', present.interval, same, null);
  const carRego = take('carRego', present.car.rego, normaliseRego, present.car.rego);
  return { content, interval, carRego, changed };
}

/** The changed fields that the status forbids to change (060004). */
export function frozenFields(status: BookingStatus, changed: readonly string[]): string[] {
  return final.has(status) ? changed.filter((field) => !alwaysEditable.has(field)) : [];
}

/** The permitted transitions; the same status again changes nothing. */
const transitions: Readonly<Record<BookingStatus, readonly BookingStatus[]>> = {
  pending: ['confirmed', 'completed', 'cancelled'],
  confirmed: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
};

/** Why the transition is not permitted, with the permitted ones; null when it is permitted. */
export function transitionFault(from: BookingStatus, to: BookingStatus): string | null {
  const permitted = transitions[from];
  if (permitted.includes(to)) return null;
  return permitted.length === 0
    ? `A ${from} booking stays ${from}: no other status is permitted`
    : `A ${from} booking can't become ${to}; permitted: ${permitted.join(', ')}`;
}
