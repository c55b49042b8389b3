/**
 * The damage that a spreadsheet does to values that look like numbers or days to it, when it opens and saves a file (specification: Imports
 * 14). They can't be read back, so they are faults.
 */
import type { ImportField } from './columns.ts';

const month = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
/** `1.00E+05`; without a sign or a point it may be a registration, such as 1E5. */
const power = /^\d(?:[.,]\d{1,20})?E[+-]\d{1,4}$|^\d[.,]\d{1,20}E\d{1,4}$/i;
/** `2026/04/03`, `03/04/26`; `03-Apr` and `Apr-03` in the letters of Excel, since APR-03 may be a registration. */
const day = new RegExp(
  String.raw`^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d\d)|\d{1,2}-(?:${month})(?:-\d\d(?:\d\d)?)?|(?:${month})-\d\d)(?: 0{1,2}:00(?::00)?)?$`,
);
/** `10:30:00`, `10:30:00 AM`. */
const time = /^\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?$/i;
const decimal = /^\d{1,20}[.,]\d{1,20}$/;
/** `#NAME?`, `#REF!`, `Err:502`; a column too narrow for its value. */
const error = /^(?:#(?:N\/A|NAME\?|REF!|VALUE!|DIV\/0!|NUM!|NULL!)|Err:\d{3}|#{3,255})$/;

/** Fields whose values are text, though a spreadsheet may see a number or a day in them. */
const powers = new Set<ImportField>(['reference', 'rego', 'vin', 'model', 'badge', 'phone', 'postcode']);
const days = new Set<ImportField>(['reference', 'rego', 'vin', 'model', 'badge']);
const decimals = new Set<ImportField>(['rego', 'vin']);

/** Countries (ISO 3166) whose postcodes have this many digits, and may begin with 0. */
const postcodeDigits: ReadonlyMap<string, number> = new Map(
  Object.entries({
    4: ['AU', 'NZ', 'ZA', 'NO', 'DK'],
    5: ['US', 'DE', 'FR', 'IT', 'ES', 'FI', 'MX', 'MY', 'TR', 'EE', 'HR'],
    6: ['SG', 'CN'],
    7: ['JP', 'IL'],
  }).flatMap(([digits, countries]) =>
    countries.map((country): [string, number] => [country, Number(digits)]),
  ),
);

const wayOut = 'format the column as text in the spreadsheet, write the value again, and save the file';

/** Why a value is damaged, with the way out; null: it has no such shape. `country` is the workshop's. */
export function damageOf(field: ImportField, text: string, country: string): string | null {
  if (/^[#E]/.test(text) && error.test(text))
    return "is a spreadsheet's error, no value: mend it in the spreadsheet";
  if (powers.has(field) && power.test(text))
    return `is a number that a spreadsheet has shortened, so the value is lost: ${wayOut}`;
  if (days.has(field) && (day.test(text) || time.test(text)))
    return `is a ${time.test(text) ? 'time' : 'day'} that a spreadsheet has made of the value: ${wayOut}`;
  if (decimals.has(field) && decimal.test(text))
    return `is a number that a spreadsheet has made of the value: ${wayOut}`;
  const digits = field === 'postcode' ? postcodeDigits.get(country) : undefined;
  if (digits !== undefined && text.length < digits && /^\d{1,9}$/.test(text))
    return `has ${text.length} digits where those of ${country} have ${digits}, so a spreadsheet may have taken the 0 before it: ${wayOut}`;
  return null;
}

/** Whether a registration may be one that a spreadsheet has read as a number: 100000 for 1E5, 12 for 0012. It may be right as well. */
export const mayBeMade = (rego: string): boolean => /^(?:[1-9]\d{0,2}0{4,17}|\d{1,3})$/.test(rego);
