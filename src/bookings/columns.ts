/** What the statements of create and update have in common: parameters, and the columns they go to. */

/** The fields that create and update write alike, as columns and their types. */
const content = {
  date: 'timestamptz',
  pickupTime: 'timestamptz',
  serviceCategory: 'text',
  servicePackageType: 'text',
  services: 'jsonb',
  contactName: 'text',
  contactFirstName: 'text',
  contactLastName: 'text',
  contactEmail: 'text',
  contactPhone: 'text',
  contactCompany: 'text',
  notes: 'text',
  jobNotes: 'text[]',
  productNotes: 'text[]',
  tyreQuantities: 'integer',
} as const;

/** The car's details as the partner sent them; its rego stands in its own row. */
const carDetails = {
  carYear: 'integer',
  carMake: 'text',
  carModel: 'text',
  carBadge: 'text',
  carVin: 'text',
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

export interface BookingContent {
  date: Date;
  pickupTime: Date | null;
  serviceCategory: string | null;
  servicePackageType: string | null;
  /** JSON text; in a statement over a set, the items themselves. */
  services: string | object[];
  contactName: string;
  contactFirstName: string | null;
  contactLastName: string | null;
  contactEmail: string;
  contactPhone: string;
  contactCompany: string | null;
  notes: string | null;
  jobNotes: string[];
  productNotes: string[];
  tyreQuantities: number | null;
}

export interface CarDetails {
  carRego: string;
  carYear: number | null;
  carMake: string | null;
  carModel: string | null;
  carBadge: string | null;
  carVin: string | null;
}

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

export interface CommonWrite extends BookingContent, CarDetails {
  partnerId: string;
  bookingId: string;
  newCarId: string;
  eventId: string;
  notifyCustomer: boolean;
  now: Date;
}
