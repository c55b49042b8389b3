/** Parses a row of a file into what it creates, or into all its faults. */
import { Type } from 'typebox';
import { splitName } from '#base/values/person-name.ts';
import { parsePhone } from '#base/values/phone.ts';
import { normaliseRego } from '#base/values/rego.ts';
import { anyText, email, optional } from '#platform/http/fields.ts';
import { invalidPhone } from '#platform/http/phone-field.ts';
import { valueReader } from '#platform/http/validation.ts';
import type { BookingStatus } from '#product/bookings/schema.ts';
import { enrichItems, type StoredItem } from '#product/catalogue/enrich.ts';
import type { Offer } from '#product/catalogue/offer.ts';
import type { ImportedCar } from '#product/customers/imported/cars/store.ts';
import type { ImportedCustomer } from '#product/customers/imported/store.ts';
import { isTag } from '#product/customers/tags.ts';
import { partOf } from '#product/orders/field.ts';
import { carFields, orderFields } from '#product/orders/fields.ts';
import type { Columns, ImportField, ImportKind } from './columns.ts';
import type { Row, RowFault } from './rows.ts';
import { type DateOrder, readWhen } from './when.ts';

export interface ImportedBooking {
  readonly date: Date;
  readonly status: BookingStatus;
  readonly notes: string | null;
  readonly services: readonly StoredItem[];
}

export interface Entry {
  readonly customer: ImportedCustomer;
  /** Null: the row names no car. */
  readonly car: ImportedCar | null;
  /** Null: the file has only customers. */
  readonly booking: ImportedBooking | null;
}

export interface Ground {
  readonly kind: ImportKind;
  readonly timezone: string;
  /** ISO 3166. */
  readonly country: string;
  readonly offer: Offer | null;
  readonly order: DateOrder | null;
  /** Business time. */
  readonly now: Date;
}

const { carVin, carMake, carModel, carYear, carBadge } = partOf(carFields, 'body');
const { customerCompany, notes } = partOf(orderFields, 'body');
const line = optional(anyText());
const readTexts = valueReader(
  Type.Object({
    ...{ name: line, firstName: line, lastName: line, email: optional(email()), company: customerCompany },
    ...{ address: line, suburb: line, postcode: optional(anyText({ max: 16 })), notes },
    ...{ rego: optional(anyText({ max: 32, of: 'spaced' })), vin: carVin, badge: carBadge },
    ...{ make: carMake, model: carModel, year: carYear },
  }),
  'row',
);
type Texts = { readonly [Name in ImportField]?: string | null };

const texts = [
  'name',
  'firstName',
  'lastName',
  'email',
  'company',
  'address',
  'suburb',
  'postcode',
  'notes',
] as const;
const carTexts = ['rego', 'vin', 'badge', 'make', 'model'] as const;

const nameAtMost = 255;
const titleAtMost = 255;
/** On one line, like all titles: PostgreSQL stores no NUL. */
const isTitle = (title: string) => title.length <= titleAtMost && !/\p{Cc}/u.test(title);

type Note = (field: ImportField | null, message: string) => void;

/** Names every fault of the row, once for each column, in the order of the columns. */
export async function judge(
  row: Row,
  columns: Columns,
  ground: Ground,
): Promise<Entry | { readonly faults: readonly RowFault[] }> {
  const { cells } = row;
  const faults: RowFault[] = [];
  const note: Note = (field, message) => {
    const column = field === null ? '' : (columns.headings[columns.at.get(field) ?? -1] ?? '');
    if (column === '' || faults.every((each) => each.column !== column))
      faults.push({ line: row.line, column, message });
  };
  const customer = customerOf(row, ground, note);
  const car = carOf(row, note);
  const booking = ground.kind === 'bookings' ? await bookingOf(row, ground, note) : null;
  const said = [...texts, ...carTexts].filter((field) => cells.has(field));
  const { value, errors } = readTexts(Object.fromEntries(said.map((field) => [field, cells.get(field)])));
  for (const { field, message } of errors) note(field as ImportField, message);
  const isNamed = (customer.phone ?? customer.name) !== null || cells.has('phone');
  if (!isNamed && (ground.kind === 'customers' || car.rego === null))
    note(
      null,
      ground.kind === 'customers'
        ? 'has neither a mobile number nor a name'
        : 'has neither a mobile number, nor a name, nor a registration',
    );
  const placeOf = ({ column }: RowFault) => columns.headings.indexOf(column);
  if (faults.length > 0) return { faults: faults.toSorted((a, b) => placeOf(a) - placeOf(b)) };
  const read = value as Texts;
  const { email: mail = null, company = null, address = null, suburb = null, postcode = null } = read;
  const hasCar = ground.kind === 'bookings' || Object.values(car).some((part) => part !== null);
  return {
    customer: { ...customer, email: mail, company, address, suburb, postcode },
    car: hasCar ? car : null,
    booking: booking && { ...booking, notes: read.notes ?? null },
  };
}

function customerOf({ cells }: Row, { country }: Ground, note: Note): ImportedCustomer {
  const written = cells.get('phone');
  const phone = written === undefined ? null : parsePhone(written, country);
  if (written !== undefined && phone === null) note('phone', invalidPhone('', country).message);
  const [first, last] = [cells.get('firstName') ?? null, cells.get('lastName') ?? null];
  const parts = [first, last].filter((part) => part !== null).join(' ');
  const name = cells.get('name') ?? (parts === '' ? null : parts);
  if (first !== null && last !== null && name === parts && parts.length > nameAtMost)
    note('lastName', `must have at most ${nameAtMost} characters together with the first name`);
  const names =
    first === null && last === null ? splitName(name ?? '') : { firstName: first, lastName: last };
  const tags = listed(cells.get('tags'), /[,;|\n]/);
  if (!tags.every(isTag) || tags.length > 20)
    note('tags', 'must be at most 20 words of up to 64 characters, with commas between');
  const optedOut = readYes(cells.get('optedOut'));
  if (optedOut === null) note('optedOut', 'must be yes or no');
  const none = { email: null, company: null, address: null, suburb: null, postcode: null };
  return { ...none, phone, name, ...names, tags, optedOut: optedOut ?? false };
}

function carOf({ cells }: Row, note: Note): ImportedCar {
  const written = cells.get('year');
  const year = written === undefined ? null : /^\d{4}$/.test(written) ? Number(written) : Number.NaN;
  if (year !== null && !(year >= 1880 && year <= 2200)) note('year', 'must be a year of four digits');
  const rego = normaliseRego(cells.get('rego') ?? '');
  if (rego.length > 32) note('rego', 'must have at most 32 characters');
  const part = (field: (typeof carTexts)[number]) => cells.get(field) ?? null;
  return {
    ...{ rego: rego === '' ? null : rego, year },
    ...{ make: part('make'), model: part('model'), badge: part('badge'), vin: part('vin') },
  };
}

const statuses: Readonly<Record<BookingStatus, readonly string[]>> = {
  pending: ['pending', 'requested', 'tentative', 'unconfirmed'],
  confirmed: ['confirmed', 'booked', 'scheduled', 'accepted'],
  completed: ['completed', 'complete', 'done', 'finished', 'invoiced', 'closed', 'collected', 'paid'],
  cancelled: ['cancelled', 'canceled', 'declined'],
};
const statusOf = new Map(
  Object.entries(statuses).flatMap(([status, words]) => words.map((word) => [word, status as BookingStatus])),
);

async function bookingOf({ cells }: Row, ground: Ground, note: Note): Promise<ImportedBooking | null> {
  const when = readWhen(
    { date: cells.get('date'), time: cells.get('time'), dateTime: cells.get('dateTime') },
    ground,
  );
  const word = cells.get('status')?.toLowerCase();
  const status = word === undefined ? null : (statusOf.get(word) ?? null);
  if (word !== undefined && status === null)
    note('status', 'must be pending, confirmed, completed or cancelled');
  const titles = listed(cells.get('services'), /[;|\n]/);
  if (titles.length > 20 || !titles.every(isTitle))
    note(
      'services',
      `must be at most 20 services of up to ${titleAtMost} characters, with semicolons between`,
    );
  if (!cells.has('date') && !cells.has('dateTime')) note('date', 'has no date');
  else if ('message' in when) note(when.field, when.message);
  if (!('at' in when)) return null;
  const { stored } = await enrichItems(
    titles.map((title) => sentItem(title, ground.offer)),
    [],
    async () => ground.offer,
  );
  const usual = when.at < ground.now ? 'completed' : 'confirmed';
  return { date: when.at, status: status ?? usual, notes: null, services: stored };
}

/** By its code or its title in the catalogue, ignoring case; else in the words of the file. */
function sentItem(title: string, offer: Offer | null) {
  const wanted = title.toLowerCase();
  for (const service of offer?.byId.values() ?? [])
    if (service.catalogCode.toLowerCase() === wanted || service.title.toLowerCase() === wanted)
      return { catalogId: service._id };
  return { title };
}

function listed(text: string | undefined, between: RegExp): string[] {
  const words = (text ?? '').split(between).map((word) => word.trim().replace(/\s+/g, ' '));
  return [...new Set(words.filter((word) => word !== ''))];
}

/** Null: neither yes nor no. */
function readYes(text: string | undefined): boolean | null {
  if (text === undefined || /^(?:no|n|false|0|-)$/i.test(text)) return false;
  return /^(?:yes|y|true|1|x|stop|opted out)$/i.test(text) ? true : null;
}
