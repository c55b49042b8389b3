/** The columns of a file, by their headings: in any case, spacing and punctuation, and by the names that other systems use. */
import { OperatorError } from '#base/operator-error.ts';
import { oneLineOf } from '#base/values/one-line.ts';

export const importKinds = ['customers', 'bookings'] as const;
export type ImportKind = (typeof importKinds)[number];

const ofCustomer = {
  reference: [
    'id',
    'ref',
    'rowid',
    'externalid',
    'bookingid',
    'bookingno',
    'bookingnumber',
    'jobid',
    'jobno',
  ],
  name: ['customer', 'customername', 'fullname', 'contact', 'contactname', 'client', 'clientname'],
  firstName: ['first', 'givenname', 'forename', 'customerfirstname'],
  lastName: ['last', 'surname', 'familyname', 'customerlastname'],
  phone: [
    'mobile',
    'mobilenumber',
    'mobilephone',
    'phonenumber',
    'cell',
    'cellphone',
    'telephone',
    'tel',
    'customerphone',
  ],
  email: ['emailaddress', 'mail', 'customeremail'],
  company: ['companyname', 'business', 'businessname', 'organisation', 'organization'],
  address: ['street', 'streetaddress', 'addressline1'],
  suburb: ['city', 'town'],
  postcode: ['zip', 'zipcode', 'postalcode'],
  tags: ['tag', 'labels'],
  optedOut: ['optout', 'smsoptout', 'optedoutofsms', 'donottext', 'unsubscribed'],
  rego: [
    'registration',
    'regono',
    'regonumber',
    'registrationnumber',
    'plate',
    'plateno',
    'numberplate',
    'licenseplate',
    'licenceplate',
    'vehiclerego',
  ],
  make: ['carmake', 'vehiclemake', 'manufacturer'],
  model: ['carmodel', 'vehiclemodel'],
  year: ['caryear', 'vehicleyear', 'modelyear', 'yearofmanufacture'],
  badge: ['carbadge', 'variant', 'series'],
  vin: ['vinnumber', 'carvin', 'chassis', 'chassisnumber'],
} as const;
const ofBooking = {
  ...ofCustomer,
  date: ['bookingdate', 'jobdate', 'appointmentdate', 'day'],
  time: ['bookingtime', 'starttime', 'appointmenttime', 'dropofftime'],
  dateTime: ['datetime', 'dateandtime', 'start', 'startsat', 'when', 'appointment', 'bookingdatetime'],
  services: ['service', 'job', 'jobtype', 'servicetype', 'work', 'description'],
  notes: ['note', 'comments', 'comment', 'remarks'],
  status: ['state', 'bookingstatus', 'jobstatus'],
} as const;

export type ImportField = keyof typeof ofBooking;

const fieldsOf: Readonly<Record<ImportKind, Readonly<Partial<Record<ImportField, readonly string[]>>>>> = {
  customers: ofCustomer,
  bookings: ofBooking,
};

export const fieldsOfKind = (kind: ImportKind): readonly ImportField[] =>
  Object.keys(fieldsOf[kind]) as ImportField[];

const plain = (heading: string) => heading.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const known = (kind: ImportKind): ReadonlyMap<string, ImportField> =>
  new Map(
    Object.entries(fieldsOf[kind]).flatMap(([field, names]) =>
      [plain(field), ...names].map((name) => [name, field as ImportField]),
    ),
  );
const knownOf = { customers: known('customers'), bookings: known('bookings') };

/** The field of a heading; undefined: none of this kind. */
export const fieldOf = (kind: ImportKind, heading: string): ImportField | undefined =>
  knownOf[kind].get(plain(heading));

export interface Columns {
  /** The heading of each column in the file, on one line, shortened for display. */
  readonly headings: readonly string[];
  /** The index of each field. */
  readonly at: ReadonlyMap<ImportField, number>;
  /** The headings of the columns that are not read. */
  readonly ignored: readonly string[];
}

const headingAtMost = 60;
export const columnsAtMost = 200;

/** The headings alone do not say how the file is read. */
export class ColumnsUnclear extends OperatorError {}

/** Throws OperatorError for more columns than a file may have. */
export function headingsOf(cells: readonly string[]): readonly string[] {
  if (cells.length > columnsAtMost)
    throw new OperatorError(
      `the file has more than ${columnsAtMost} columns: delete those that are not needed in the spreadsheet, the empty ones on the right too, and save it again`,
    );
  return cells.map((cell) => oneLineOf(cell, headingAtMost));
}

/** The fields of which a file of this kind needs one more; null: it has what it needs. */
export function lackOf(kind: ImportKind, at: ReadonlyMap<ImportField, unknown>): string | null {
  const has = (...fields: ImportField[]) => fields.some((field) => at.has(field));
  const isNamed = has('phone', 'name', 'firstName', 'lastName');
  if (kind === 'customers') return isNamed ? null : 'Mobile or Name';
  if (!has('date', 'dateTime')) return 'Date';
  return isNamed || has('rego') ? null : 'Mobile, Name or Registration';
}

/** Throws ColumnsUnclear when the headings do not fit the kind of the file. */
export function readColumns(kind: ImportKind, cells: readonly string[]): Columns {
  const headings = headingsOf(cells);
  const at = new Map<ImportField, number>();
  const ignored: string[] = [];
  for (const [n, heading] of headings.entries()) {
    const field = fieldOf(kind, heading);
    const first = field && at.get(field);
    if (first !== undefined)
      throw new ColumnsUnclear(
        `the columns "${headings[first]}" and "${heading}" mean the same: leave one of them out`,
      );
    if (field !== undefined) at.set(field, n);
    else if (heading !== '') ignored.push(heading);
  }
  const lack = lackOf(kind, at);
  if (lack === 'Mobile or Name')
    throw new ColumnsUnclear('the first line names neither a column Mobile nor a column Name');
  if (lack !== null) throw new ColumnsUnclear(`the first line names no column ${lack}`);
  return { headings, at, ignored };
}
