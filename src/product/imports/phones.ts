/** The number of a row, of all that its columns hold (specification: Imports 11 and 14). */
import { examplePhone, numberType, parsePhone } from '#base/values/phone.ts';

export interface ReadPhone {
  /** E.164; null: the value is no phone number. */
  readonly phone: string | null;
  /** Whether it lacks the 0 that numbers of the country begin with, which spreadsheets take away. */
  readonly lacksZero: boolean;
  /** Whether another number is left out. */
  readonly hasFurther: boolean;
}

/**
 * `values`: at least one, those of mobile columns before others. `isFirstMobile`: the first is of a mobile column, and wins; else
 * a mobile number goes before others. The country is the workshop's.
 */
export function readPhone(values: readonly string[], country: string, isFirstMobile: boolean): ReadPhone {
  const [first = '', ...rest] = values;
  const read = parsePhone(first, country);
  const others = rest.map((value) => [value, parsePhone(value, country)] as const);
  const taken =
    isFirstMobile || read === null || isMobile(read)
      ? undefined
      : others.find(([, number]) => isMobile(number));
  const [value, phone] = taken ?? [first, read];
  return {
    phone,
    lacksZero: phone !== null && lacksZero(value, phone, country),
    hasFurther: [[first, read] as const, ...others].some(([, number]) => number !== null && number !== phone),
  };
}

const isMobile = (number: string | null) => number !== null && (numberType(number) ?? '').endsWith('MOBILE');

/** The digits of the number as they are dialled abroad, in a country whose numbers begin with 0 at home. */
function lacksZero(value: string, phone: string, country: string): boolean {
  const digits = value.replace(/[\s.()-]/g, '');
  return (
    /^[1-9]\d+$/.test(digits) &&
    phone.length > digits.length + 1 &&
    phone.endsWith(digits) &&
    (examplePhone(country)?.startsWith('0') ?? false)
  );
}
