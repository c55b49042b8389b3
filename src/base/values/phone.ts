/** Phone numbers: any form that people write in a country; E.164 inside (specification: Phone numbers). */
import {
  type CountryCode,
  getCountryCallingCode,
  getExampleNumber,
  isSupportedCountry,
  type NumberType,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { LRUCache } from 'lru-cache';
import { withoutMarks } from './invisible.ts';

/** Longer texts are never phone numbers. */
const lengthAtMost = 64;
/** A pasted one may have a mark that nobody sees at each character. */
const pastedAtMost = 3 * lengthAtMost;

const link = /^\s*tel:(?:\/\/)?\s*(?!tel:)/i;

/** A number as it was pasted, without what nobody sees and the `tel:` of a link; its white space is spaces. */
export function cleanPhone(text: string): string {
  return text.length > pastedAtMost ? text : withoutMarks(text).replace(link, '').replace(/\s/g, ' ');
}

/** True for an ISO 3166 country (two capitals) whose numbering plan is known. */
export function isCountry(text: string): text is CountryCode {
  return isSupportedCountry(text);
}

/**
 * The number as E.164, or null when it is not valid. `country` is the workshop's, for numbers without a country code. A number
 * with an extension is refused: an SMS can't reach it.
 */
export function parsePhone(typed: string, country: string): string | null {
  const text = cleanPhone(typed);
  if (text.length > lengthAtMost || !isCountry(country)) return null;
  // Without `extract: false` the library finds a number inside any text.
  const number = parsePhoneNumberFromString(text, { defaultCountry: country, extract: false });
  return number?.isValid() && number.ext === undefined ? number.number : null;
}

/** The type of the number, such as `MOBILE`; null when it is unknown. `number` is E.164. */
export function numberType(number: string): NumberType | null {
  return parsePhoneNumberFromString(number)?.getType() ?? null;
}

/** The ISO 3166 country of an E.164 number; null when it has none, or it is unknown. */
export function countryOf(number: string): string | null {
  return parsePhoneNumberFromString(number)?.country ?? null;
}

/** Whether an E.164 number belongs to another country than this one (ISO 3166), or to none. */
export const isAbroad = (number: string, country: string): boolean => countryOf(number) !== country;

export interface NumberFacts {
  /** As `numberType` and `countryOf` have them. */
  readonly type: NumberType | null;
  readonly country: string | null;
  /**
   * The calling code, such as `+881`, of a number that belongs to no country: of satellite phones, of international services. Empty: its
   * calling code is nobody's. Null: it belongs to a country, or is no number.
   */
  readonly countrylessCode: string | null;
}

/** All that is known of an E.164 number, for the price of one reading. */
export function numberFacts(number: string): NumberFacts {
  const parsed = parsePhoneNumberFromString(number);
  if (parsed === undefined) {
    return { type: null, country: null, countrylessCode: number.startsWith('+') ? '' : null };
  }
  return {
    type: parsed.getType() ?? null,
    country: parsed.country ?? null,
    countrylessCode:
      number.startsWith('+') && parsed.isNonGeographic() ? `+${parsed.countryCallingCode}` : null,
  };
}

/** Reading and formatting a number takes 50 µs, and a workshop's own stands in each of its messages. */
const shown = new LRUCache<string, string>({ max: 2_000 });

/**
 * An E.164 number as people in that country (ISO 3166) dial it: `(03) 5550 0101`, and one of another calling code as
 * `+64 21 055 501`. What is no number stays as it is.
 */
export function phoneIn(country: string, number: string): string {
  const key = `${country} ${number}`;
  const known = shown.get(key);
  if (known !== undefined) return known;
  const parsed = parsePhoneNumberFromString(number);
  const isNear = isCountry(country) && getCountryCallingCode(country) === parsed?.countryCallingCode;
  const text = (isNear ? parsed?.formatNational() : parsed?.formatInternational()) ?? number;
  shown.set(key, text);
  return text;
}

/** A workshop's phone as `reader` dials it, whose own number (E.164) says from where; for an unknown reader as people near the workshop do. */
export function phoneFor(
  reader: string | null,
  { phone, country }: { readonly phone: string; readonly country: string },
): string {
  return phoneIn((reader && countryOf(reader)) || country, phone);
}

/** A mobile number as people in that country (ISO 3166) write theirs, to show the form; null where it is not known. */
export function examplePhone(country: string): string | null {
  return isCountry(country) ? (getExampleNumber(country, examples)?.formatNational() ?? null) : null;
}

/** An E.164 number and nothing else. */
const wholeNumber = /^\+[1-9]\d{6,14}$/;

/**
 * A name as people read it: a customer without a name has their number (E.164) as a name, and that is written as `phoneIn` the
 * country (ISO 3166) has it, or without one as `nationalPhone`. Any other name stays as it is.
 */
export function nameWritten(name: string, country?: string): string {
  if (!wholeNumber.test(name)) return name;
  return country === undefined ? nationalPhone(name) : phoneIn(country, name);
}

/** An E.164 number as people in its country write it: `(03) 5550 0101`; as it is when it is not known. */
export function nationalPhone(number: string): string {
  return parsePhoneNumberFromString(number)?.formatNational() ?? number;
}
