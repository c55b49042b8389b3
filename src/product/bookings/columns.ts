/** Derives parameters, columns and values of the booking statements from the lists of fields. */
import { jsonValue } from '#platform/db/json.ts';
import { columnOf, sqlType } from '#platform/db/parameters.ts';
import { actorColumns } from '#platform/events/record.ts';
import { partOf } from '#product/orders/field.ts';
import { carFields } from '#product/orders/fields.ts';
import { createFields, updateFields } from './fields.ts';

/**
 * Columns that are not a field by themselves: the time, the customer's contact details as sent, and values derived from the
 * services.
 */
const apart = {
  date: 'timestamptz',
  customerName: 'text null',
  customerFirstName: 'text null',
  customerLastName: 'text null',
  customerEmail: 'text null',
  customerPhone: 'text null',
  serviceMinutes: 'integer[]',
  serviceCategoryDerived: 'boolean',
} as const;

const details = partOf(carFields, 'type');
export const created = { ...apart, ...partOf(createFields, 'type') };
export const changed = { ...apart, ...partOf(updateFields, 'type') };

/** The place of a booking, as parameters of both statements. */
export const placeColumns = {
  occupiedFrom: 'timestamptz null',
  occupiedUntil: 'timestamptz null',
  countedServices: 'uuid[] null',
  countedCategories: 'text[] null',
  placeVersion: 'integer null',
  heldTo: 'text null',
} as const;
type PlaceColumn = keyof typeof placeColumns;
const placeNames = Object.keys(placeColumns) as PlaceColumn[];

/** Further parameters of both statements. */
export const common = {
  ...details,
  carRego: 'text null',
  /** The reason of staff for taking the place against the rules; null: the rules apply. */
  anywayReason: 'text null',
  partnerId: 'uuid',
  bookingId: 'uuid',
  newCarId: 'uuid',
  eventId: 'uuid',
  notifyCustomer: 'boolean',
  now: 'timestamptz',
  ...actorColumns,
} as const;

type Created = keyof typeof created;
type Changed = keyof typeof changed;
type Detail = keyof typeof details;
const createdNames = Object.keys(created) as Created[];
const changedNames = Object.keys(changed) as Changed[];
const detailNames = Object.keys(details) as Detail[];

/** Turns the name of a parameter into its SQL expression. */
type Expressions<Name extends string> = (name: Name) => string;

/** A booking stores the customer in `contact_…`: `customerPhone` → `contact_phone`. */
const columnFor = (name: string) => columnOf(name).replace(/^customer_/, 'contact_');

/** The columns that create fills from the request: `contact_name, notes, …` */
export const createdColumns = createdNames.map(columnFor).join(', ');

/** `owner."notes" AS notes, …` */
export function createdAs($: Expressions<Created>): string {
  return createdNames.map((name) => `${$(name)} AS ${columnFor(name)}`).join(', ');
}

/** `notes = $7::text, …` */
export function changedAssignments($: Expressions<Changed>): string {
  return changedNames.map((name) => `${columnFor(name)} = ${$(name)}`).join(', ');
}

/** `'notes', b.notes, …`: each field in its wire form, for `jsonb_build_object`. */
export function fieldsJson(b: string): string {
  const fields = Object.entries({ ...createFields, ...updateFields });
  return fields
    .map(([name, { type }]) => `'${name}', ${jsonValue(sqlType(type), `${b}.${columnFor(name)}`)}`)
    .join(', ');
}

/** The columns that a change writes, apart from place, customer and car. */
export const restoredColumns = [
  ...['status', 'cancel_reason', 'anyway_reason'],
  ...[...changedNames, ...detailNames].map(columnFor),
];

export const detailColumns = detailNames.map(columnFor).join(', ');

/** The value of a detail column: the sent one, else that of the row `earlier`. */
function detailValue($: Expressions<Detail>, name: Detail): string {
  return `coalesce(${$(name)}, earlier.${columnFor(name)})`;
}

export function detailsAs($: Expressions<Detail>): string {
  return detailNames.map((name) => `${detailValue($, name)} AS ${columnFor(name)}`).join(', ');
}

export function detailAssignments($: Expressions<Detail>): string {
  return detailNames.map((name) => `${columnFor(name)} = ${detailValue($, name)}`).join(', ');
}

export const placeList = placeNames.map(columnOf).join(', ');

/** `owner.occupied_from, …` */
export function placeAs($: Expressions<PlaceColumn>): string {
  return placeNames.map((name) => `${$(name)} AS ${columnOf(name)}`).join(', ');
}

/** `occupied_from = $7::timestamptz, …` */
export function placeAssignments($: Expressions<PlaceColumn>): string {
  return placeNames.map((name) => `${columnOf(name)} = ${$(name)}`).join(', ');
}

/** `b.occupied_from, …` */
export function placeOf(b: string): string {
  return placeNames.map((name) => `${b}.${columnOf(name)}`).join(', ');
}

export function carParameters($: Expressions<keyof typeof common>) {
  return {
    newId: $('newCarId'),
    rego: $('carRego'),
    year: $('carYear'),
    make: $('carMake'),
    model: $('carModel'),
    badge: $('carBadge'),
    vin: $('carVin'),
    now: $('now'),
  };
}
