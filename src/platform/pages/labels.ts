/** The labels of fields of forms, for refusals that name them. */
import { capital } from '#base/values/sentence.ts';

/** Where the name in the form is not the label. */
const labels: ReadonlyMap<string, string> = new Map([
  ['rego', 'Registration'],
  ['carRego', 'Registration'],
  ['phone', 'Mobile number'],
  ['customerPhone', 'Phone number'],
  ['customerName', 'Name'],
  ['email', 'E-mail'],
  ['customerEmail', 'E-mail'],
  ['secondFactor', 'A second factor'],
  ['pickup', 'Pick-up'],
  ['pickupTime', 'Pick-up'],
  ['vin', 'VIN'],
  ['carVin', 'VIN'],
  ['carMake', 'Make'],
  ['carModel', 'Model'],
  ['carYear', 'Year'],
  ['jobNotes', 'Job notes'],
  ['productNotes', 'Parts'],
  ['bays', 'How many bays'],
  ['first', 'From'],
  ['last', 'To'],
  ['begins', 'Begins at'],
  ['ends', 'Ends at'],
  ['allowAbroad', 'The consent of an owner'],
  ['how', 'How they agreed'],
  ['on', 'The day they agreed'],
  ['confirm', 'The word'],
  ['pin', 'PIN'],
  ['newCode', 'One code'],
  ['twice', 'Your word that it may arrive twice'],
  ['askAgainMinutes', 'Ask again after'],
  ['validDays', 'Valid for'],
  ['line', 'Lines:'],
]);

/** A field of one of several lines, counted from 1: `price2`. */
const ofLine = /^(title|quantity|price)(\d+)$/;
/** A column of a file, counted from 1. */
const ofColumn = /^column(\d+)$/;

export function labelOf(field: string): string {
  const [, name, line] = ofLine.exec(field) ?? [];
  if (name !== undefined) return `${capital(name)} of line ${line}`;
  const [, column] = ofColumn.exec(field) ?? [];
  if (column !== undefined) return `Column ${column}`;
  return labels.get(field) ?? capital(field);
}
