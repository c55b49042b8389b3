/** What the statements of create and update have in common: parameters, and the columns they go to. */
import type { Values } from '#db/parameters.ts';

/** The fields that create and update write alike, as columns and their types. */
const content = {
  date: 'timestamptz',
  pickupTime: 'timestamptz null',
  serviceCategory: 'text null',
  servicePackageType: 'text null',
  services: 'jsonb',
  contactName: 'text',
  contactFirstName: 'text null',
  contactLastName: 'text null',
  contactEmail: 'text',
  contactPhone: 'text',
  contactCompany: 'text null',
  notes: 'text null',
  jobNotes: 'text[]',
  productNotes: 'text[]',
  tyreQuantities: 'integer null',
} as const;

/** The car's details as the partner sent them; its rego stands in its own row. */
const carDetails = {
  carYear: 'integer null',
  carMake: 'text null',
  carModel: 'text null',
  carBadge: 'text null',
  carVin: 'text null',
} as const;

const columnOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const contentNames = Object.keys(content) as (keyof typeof content)[];
export const contentColumns = contentNames.map(columnOf).join(', ');

type DetailName = keyof typeof carDetails;
const detailNames = Object.keys(carDetails) as DetailName[];
export const detailColumns = detailNames.map(columnOf).join(', ');

/** What a booking's detail columns get: what was sent, else what the row `earlier` has. */
function detailValue($: (name: CommonName) => string, name: DetailName): string {
  return `coalesce(${$(name)}, earlier.${columnOf(name)})`;
}

export function detailsAs($: (name: CommonName) => string): string {
  return detailNames.map((name) => `${detailValue($, name)} AS ${columnOf(name)}`).join(', ');
}

export function detailAssignments($: (name: CommonName) => string): string {
  return detailNames.map((name) => `${columnOf(name)} = ${detailValue($, name)}`).join(', ');
}

/** `owner."notes" AS notes, …` */
export function contentAs($: (name: CommonName) => string): string {
  return contentNames.map((name) => `${$(name)} AS ${columnOf(name)}`).join(', ');
}

/** `notes = $7::text, …` */
export function contentAssignments($: (name: CommonName) => string): string {
  return contentNames.map((name) => `${columnOf(name)} = ${$(name)}`).join(', ');
}

export type BookingContent = Values<typeof content>;

/** The parameters that both statements take. */
export const common = {
  ...content,
  ...carDetails,
  carRego: 'text',
  partnerId: 'uuid',
  bookingId: 'uuid',
  newCarId: 'uuid',
  eventId: 'uuid',
  notifyCustomer: 'boolean',
  now: 'timestamptz',
} as const;

export type CommonName = keyof typeof common;

export function carParameters($: (name: CommonName) => string) {
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
