/** Phone numbers: any form that people write in a country; E.164 inside (decisions, section 1, Phones). */
import {
  type CountryCode,
  isSupportedCountry,
  type NumberType,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';

/** Longer texts are no phone numbers, whatever they hold. */
const lengthAtMost = 64;

/** True for an ISO 3166 country (two capitals) whose numbering plan is known. */
export function isCountry(text: string): text is CountryCode {
  return isSupportedCountry(text);
}

/**
 * The number as E.164, or null when it is not a valid one. `country` is the workshop's: it explains numbers without a
 * country code. A number with an extension is refused: a text message can't reach it.
 */
export function parsePhone(text: string, country: string): string | null {
  if (text.length > lengthAtMost || !isCountry(country)) return null;
  // Without `extract: false` a number would be found inside any other text.
  const number = parsePhoneNumberFromString(text, { defaultCountry: country, extract: false });
  return number?.isValid() && number.ext === undefined ? number.number : null;
}

/** What kind of number it is, such as `MOBILE`; null when that can't be told. `number` is E.164. */
export function numberType(number: string): NumberType | null {
  return parsePhoneNumberFromString(number)?.getType() ?? null;
}

/** The ISO 3166 country that an E.164 number belongs to; null where it belongs to none, or that can't be told. */
export function countryOf(number: string): string | null {
  return parsePhoneNumberFromString(number)?.country ?? null;
}
