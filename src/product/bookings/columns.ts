/** What the statements of bookings take from the lists of fields: parameters, columns and the values that these get. */
import { jsonValue } from '#platform/db/json.ts';
import { columnOf, sqlType } from '#platform/db/parameters.ts';
import { actorColumns } from '#platform/events/record.ts';
import { partOf } from '#product/orders/field.ts';
import { carFields } from '#product/orders/fields.ts';
import { createFields, updateFields } from './fields.ts';

/** What is no field by itself: the time, the customer as the partner sent them, and what is known of the services beside the items. */
const apart = {
  date: 'timestamptz',
  customerName: 'text',
  customerFirstName: 'text null',
  customerLastName: 'text null',
  customerEmail: 'text',
  customerPhone: 'text',
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

/** The further parameters that both statements take. */
export const common = {
  ...details,
  carRego: 'text',
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

/** A booking keeps the customer in `contact_…`: `customerPhone` → `contact_phone`. */
const columnFor = (name: string) => columnOf(name).replace(/^customer_/, 'contact_');

/** What create writes from the request: `contact_name, notes, …` */
export const createdColumns = createdNames.map(columnFor).join(', ');

/** `owner."notes" AS notes, …` */
export function createdAs($: Expressions<Created>): string {
  return createdNames.map((name) => `${$(name)} AS ${columnFor(name)}`).join(', ');
}

/** `notes = $7::text, …` */
export function changedAssignments($: Expressions<Changed>): string {
  return changedNames.map((name) => `${columnFor(name)} = ${$(name)}`).join(', ');
}

/** `'notes', b.notes, …`: each field as the wire has it, for `jsonb_build_object`. */
export function fieldsJson(b: string): string {
  const fields = Object.entries({ ...createFields, ...updateFields });
  return fields
    .map(([name, { type }]) => `'${name}', ${jsonValue(sqlType(type), `${b}.${columnFor(name)}`)}`)
    .join(', ');
}

/** What changes of a booking write beside its place, its customer and its car. */
export const restoredColumns = [
  ...['status', 'cancel_reason'],
  ...[...changedNames, ...detailNames].map(columnFor),
];

export const detailColumns = detailNames.map(columnFor).join(', ');

/** What a booking's detail columns get: what was sent, else what the row `earlier` has. */
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
