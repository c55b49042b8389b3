/** Pure decisions about changing a booking (specification: Changing a booking 5). */

import { normaliseRego } from '#base/values/rego.ts';
import { checkedInstant } from '#platform/http/checked-instant.ts';
import { type Fields, valuesOf } from '#product/orders/field.ts';
import { staffCarFields } from '#product/orders/fields.ts';
import { updateFields } from './fields.ts';
import type { AnyBooking, BookingChanges, BookingStatus, CarDetails } from './schema.ts';

/** The fields that an update may send, each with a value. */
type State = Required<Omit<BookingChanges, 'skipNotification'>> & Required<CarDetails>;

function stateOf(booking: AnyBooking): State {
  const { car, customer } = booking;
  const contact = { customerEmail: customer.email, customerPhone: customer.phone };
  return { ...booking, ...contact, customerName: customer.name, carRego: car.rego, ...detailsOf(booking) };
}

const detailsOf = ({ car: { make, model, year, vin } }: AnyBooking): Required<CarDetails> => ({
  ...{ carMake: make, carModel: model, carYear: year, carVin: vin },
});

/** The same state as values of columns. */
function contentOf(state: State) {
  const { customerName, customerEmail, customerPhone } = state;
  return {
    date: checkedInstant(state.date),
    carRego: state.carRego === null ? null : normaliseRego(state.carRego),
    ...{ customerName, customerEmail, customerPhone },
    ...valuesOf(updateFields, state),
    ...valuesOf(staffCarFields, state),
  };
}

export interface NextState {
  readonly content: ReturnType<typeof contentOf>;
  /** The fields whose value differs from the present one. */
  readonly changed: readonly (keyof State)[];
  /** Their values before and after. */
  readonly before: Partial<State>;
  readonly after: Partial<State>;
}

/**
 * The present state with the sent fields replaced: an absent field stays, null clears. `phone` is the sent customerPhone as E.164, `details` what staff
 * say of the car: a body has none of it.
 */
export function nextState(
  present: AnyBooking,
  body: BookingChanges,
  phone: string | null,
  details: CarDetails = {},
): NextState {
  const state = stateOf(present);
  const before = contentOf(state);
  const content = contentOf({
    ...{ ...state, ...body, ...detailsOf(present), ...details },
    ...(phone !== null && { customerPhone: phone }),
  });
  const names = Object.keys(content) as (keyof State)[];
  const changed = names.filter((name) => JSON.stringify(content[name]) !== JSON.stringify(before[name]));
  const changedOf = (whole: object): Partial<State> =>
    Object.fromEntries(Object.entries(whole).filter(([name]) => changed.includes(name as keyof State)));
  return { content, changed, before: changedOf(before), after: changedOf(content) };
}

/**
 * Whether undoing a change of these fields restores everything. A customer's details and cars are stored apart from the booking,
 * and others may have used them since, so such changes can't be undone.
 */
export function isOfBookingAlone(changed: readonly string[]): boolean {
  return !changed.some((field) => field.startsWith('car') || field.startsWith('customer'));
}

const final: ReadonlySet<BookingStatus> = new Set(['completed', 'cancelled']);

/** The changed fields that the status does not allow to change (060004). */
export function frozenFields(status: BookingStatus, changed: readonly string[]): string[] {
  const fields: Fields = updateFields;
  return final.has(status) ? changed.filter((name) => !fields[name]?.changesWhenFinal) : [];
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
