/** Parses a row of a file into what it creates, or into all its faults. */
import { Type } from 'typebox';
import { splitName } from '#base/values/person-name.ts';
import { normaliseRego } from '#base/values/rego.ts';
import { anyText, email, optional } from '#platform/http/fields.ts';
import { invalidPhone } from '#platform/http/phone-field.ts';
import { valueReader } from '#platform/http/validation.ts';
import type { Offer } from '#product/catalogue/offer.ts';
import type { ImportedCar } from '#product/customers/imported/cars/store.ts';
import type { ImportedCustomer } from '#product/customers/imported/store.ts';
import { isTag } from '#product/customers/tags.ts';
import { partOf } from '#product/orders/field.ts';
import { carFields, orderFields } from '#product/orders/fields.ts';
import { bookingOf, type ImportedBooking } from './booking.ts';
import { cleanCells, listed, readYes, valuesOf } from './clean.ts';
import { type Columns, type ImportField, type ImportKind, isOfMobiles } from './columns.ts';
import { damageOf, mayBeMade } from './damage.ts';
import type { Reading } from './days.ts';
import type { Remark, Remarked } from './notes.ts';
import { readPhone } from './phones.ts';
import type { Row, RowFault } from './rows.ts';

export interface Entry {
  readonly customer: ImportedCustomer;
  /** Null: the row names no car. */
  readonly car: ImportedCar | null;
  /** Null: the file has only customers. */
  readonly booking: ImportedBooking | null;
  /** On values that are read in another way than they stand, or left out. */
  readonly remarks: readonly Remarked[];
}

export interface ImportContext extends Reading {
  readonly kind: ImportKind;
  readonly timezone: string;
  /** ISO 3166. */
  readonly country: string;
  readonly offer: Offer | null;
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

export type Note = (field: ImportField | null, message: string) => void;

/** Names every fault of the row, once for each column, in the order of the columns. */
export async function judge(
  row: Row,
  columns: Columns,
  context: ImportContext,
): Promise<Entry | { readonly faults: readonly RowFault[] }> {
  const headingOf = (field: ImportField) =>
    columns.headings[row.from.get(field) ?? columns.at.get(field) ?? -1] ?? '';
  const faults: RowFault[] = [];
  const note: Note = (field, message) => {
    const column = field === null ? '' : headingOf(field);
    if (column === '' || faults.every((each) => each.column !== column))
      faults.push({ line: row.line, column, message });
  };
  const remarks: Remarked[] = [];
  const remark = (field: ImportField, of: Remark) =>
    void remarks.push({ remark: of, column: headingOf(field) });
  const cells = readCells(row, context, note);
  const person = customerOf(cells, note);
  const isOfMobile = !row.from.has('phone') && isOfMobiles(context.kind, headingOf('phone'));
  const phone = phoneOf(cells, isOfMobile, context, { note, remark });
  const customer = { ...person, phone };
  const car = carOf(cells, note);
  if (car.rego !== null && mayBeMade(car.rego)) remark('rego', 'numberOfSheet');
  const booking = context.kind === 'bookings' ? await bookingOf(cells, context, note) : null;
  const mails = valuesOf('email', cells.get('email') ?? '');
  if (mails.length > 1) remark('email', 'furtherEmail');
  const said = [...texts, ...carTexts].filter((field) => cells.has(field));
  const { value, errors } = readTexts(
    Object.fromEntries(said.map((field) => [field, field === 'email' ? mails[0] : cells.get(field)])),
  );
  for (const { field, message } of errors) note(field as ImportField, message);
  const isNamed = (phone ?? customer.name) !== null || cells.has('phone');
  if (!isNamed && (context.kind === 'customers' || car.rego === null))
    note(
      null,
      context.kind === 'customers'
        ? 'has neither a mobile number nor a name'
        : 'has neither a mobile number, nor a name, nor a registration',
    );
  const placeOf = ({ column }: RowFault) => columns.headings.indexOf(column);
  if (faults.length > 0) return { faults: faults.toSorted((a, b) => placeOf(a) - placeOf(b)) };
  const read = value as Texts;
  const { email: mail = null, company = null, address = null, suburb = null, postcode = null } = read;
  const hasCar = context.kind === 'bookings' || Object.values(car).some((part) => part !== null);
  return {
    customer: { ...customer, email: mail, company, address, suburb, postcode },
    car: hasCar ? car : null,
    booking: booking && { ...booking, notes: read.notes ?? null },
    remarks,
  };
}

type Cells = Row['cells'];

/** The cells without what is damaged, each of which is a fault. */
function readCells(row: Row, { country }: ImportContext, note: Note): Cells {
  const cells = new Map(cleanCells(row.cells));
  for (const [field, text] of [...cells]) {
    const damage = damageOf(field, text, country);
    if (damage === null) continue;
    note(field, damage);
    cells.delete(field);
  }
  return cells;
}

function phoneOf(
  cells: Cells,
  isOfMobile: boolean,
  { country }: ImportContext,
  { note, remark }: { readonly note: Note; readonly remark: (field: ImportField, of: Remark) => void },
): string | null {
  const values = valuesOf('phone', cells.get('phone') ?? '');
  if (values.length === 0) return null;
  const { phone, lacksZero, hasFurther } = readPhone(values, country, isOfMobile);
  if (phone === null) note('phone', invalidPhone('', country).message);
  if (lacksZero) remark('phone', 'lacksZero');
  if (hasFurther) remark('phone', 'furtherNumber');
  return phone;
}

/** Without what `readTexts` checks. */
function customerOf(cells: Cells, note: Note): ImportedCustomer {
  const [first, last] = [cells.get('firstName') ?? null, cells.get('lastName') ?? null];
  const parts = [first, last].filter((part) => part !== null).join(' ');
  const name = cells.get('name') ?? (parts === '' ? null : parts);
  if (first !== null && last !== null && name === parts && parts.length > nameAtMost)
    note('lastName', `must have at most ${nameAtMost} characters together with the first name`);
  const names =
    first === null && last === null ? splitName(name ?? '') : { firstName: first, lastName: last };
  // Google Contacts marks the groups that it makes itself: `* myContacts`.
  const tags = listed(cells.get('tags'), /:::|[,;|\n]/).filter((tag) => !tag.startsWith('* '));
  if (!tags.every(isTag) || tags.length > 20)
    note('tags', 'must be at most 20 words of up to 64 characters, with commas between');
  const optedOut = readYes(cells.get('optedOut'));
  if (optedOut === null) note('optedOut', 'must be yes or no');
  const none = { phone: null, email: null, company: null, address: null, suburb: null, postcode: null };
  return { ...none, name, ...names, tags, optedOut: optedOut ?? false };
}

function carOf(cells: Cells, note: Note): ImportedCar {
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
