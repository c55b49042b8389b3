/** The fields that the columns of a file may be matched with by hand, in the words of people. */
import { fieldsOfKind, type ImportField, type ImportKind } from '../columns.ts';

const labels: Readonly<Record<ImportField, string>> = {
  phone: 'Mobile',
  name: 'Name',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'E-mail',
  company: 'Company',
  address: 'Address',
  suburb: 'Suburb',
  postcode: 'Postcode',
  tags: 'Tags',
  optedOut: 'Opted out',
  rego: 'Registration',
  make: 'Make',
  model: 'Model',
  year: 'Year',
  badge: 'Badge',
  vin: 'VIN',
  reference: 'ID',
  date: 'Date',
  time: 'Time',
  dateTime: 'Date and time',
  services: 'Services',
  notes: 'Notes',
  status: 'Status',
  cancelled: 'Cancelled',
  noShow: 'Did not come',
};

export interface FieldChoice {
  readonly field: ImportField;
  readonly label: string;
}

/** Returns the fields of a kind of file, in the order of a choice. */
export function choicesOf(kind: ImportKind): FieldChoice[] {
  const its = new Set(fieldsOfKind(kind));
  return Object.entries(labels).flatMap(([field, label]) =>
    its.has(field as ImportField) ? [{ field: field as ImportField, label }] : [],
  );
}

export const labelOfField = (field: ImportField): string => labels[field];
