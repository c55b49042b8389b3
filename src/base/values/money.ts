/** Amounts on the wire: JSON numbers with at most two decimals (specification: Money). */
import { ownValue } from './own-value.ts';

/** By ISO 3166 country: a workshop's settings have no currency. */
const currencies: Readonly<Record<string, string>> = {
  ...{ AU: 'AUD', NZ: 'NZD', US: 'USD', CA: 'CAD', GB: 'GBP', ZA: 'ZAR', SG: 'SGD', CH: 'CHF', CL: 'CLP' },
  ...{ IE: 'EUR', DE: 'EUR', FR: 'EUR', NL: 'EUR', BE: 'EUR', AT: 'EUR', ES: 'EUR', IT: 'EUR', PT: 'EUR' },
};

/** ISO 4217; undefined where the country's is not known. */
export function currencyOf(country: string): string | undefined {
  return ownValue(currencies, country);
}

/** The largest amount, in the workshop's currency. */
export const moneyAtMost = 9_999_999.99;

/** True for 0 to 9,999,999.99 with at most two decimals, by the shortest decimal text of the number. */
export function isMoney(value: number): boolean {
  return value >= 0 && value <= moneyAtMost && /^\d+(?:\.\d{1,2})?$/.test(String(value));
}

/** The amount with two decimals when it differs from that by less than a millionth, as sums of binary floats do; else as it is. */
export function settleMoney(value: number): number {
  const rounded = Number(value.toFixed(2));
  // Adding 0 makes -0 positive.
  return Math.abs(value - rounded) < 1e-6 ? rounded + 0 : value;
}
