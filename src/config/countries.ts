/** The kind of a setting that lists countries. */
import { entriesOf } from './kinds.ts';
import { ConfigError, type Kind } from './setting.ts';

/** Not by the numbering plans of `values/phone.ts`: every command reads the settings, and they take long to load. */
function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code)) return false;
  // An old or popular code has another one in its place: UK is GB.
  const isItsOwn = Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return isItsOwn && names.of(code) !== undefined;
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
