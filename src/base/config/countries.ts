/** The kinds of settings that list countries. */
import { entriesOf } from './kinds.ts';
import { ConfigError, type Kind } from './setting.ts';

/** Does not use the numbering plans of `values/phone.ts`: every command reads the settings, and the plans take long to load. */
function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code)) return false;
  // An old or popular code is replaced by the official one: UK is GB.
  const isCanonical = Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return isCanonical && names.of(code) !== undefined;
}

/** ISO 3166 codes with commas, in either case; each once. */
export const countries: Kind<readonly string[]> = {
  form: 'countries, such as `AU,NZ`',
  parse(text, name) {
    const codes = entriesOf(text).map((code) => code.toUpperCase());
    const unknown = codes.find((code) => !isCountry(code));
    if (unknown !== undefined) {
      throw new ConfigError(`${name}: ${unknown} is not a country code of two letters; it looks like AU,NZ`);
    }
    return [...new Set(codes)];
  },
};

/** Calling codes of numbers that belong to no country: satellite phones, and international services. */
const countrylessCodes = ['+800', '+808', '+870', '+878', '+881', '+882', '+883', '+888', '+979'];

/** The same, and calling codes that belong to no country. */
export const countriesAndCodes: Kind<readonly string[]> = {
  form: `${countries.form}, and calling codes without a country, such as \`+881\``,
  parse(text, name) {
    const entries = entriesOf(text);
    const isCode = (entry: string) => entry.startsWith('+');
    const unknown = entries.find((entry) => isCode(entry) && !countrylessCodes.includes(entry));
    if (unknown !== undefined) {
      throw new ConfigError(
        `${name}: ${unknown} is not a calling code without a country; those are ${countrylessCodes.join(', ')}`,
      );
    }
    const named = countries.parse(entries.filter((entry) => !isCode(entry)).join(','), name);
    return [...named, ...new Set(entries.filter(isCode))];
  },
};
