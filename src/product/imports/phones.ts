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
  if (rest.length === 0 || isFirstMobile || read === null)
    return { ...facts(first, read, country), hasFurther: rest.some((value) => isOther(value, read)) };
  const all = [[first, read] as const, ...rest.map((value) => [value, parsePhone(value, country)] as const)];
  const [value, phone] = all.find(([, number]) => isMobile(number)) ?? [first, read];
  return { ...facts(value, phone, country), hasFurther: values.some((each) => isOther(each, phone)) };
}

const facts = (value: string, phone: string | null, country: string) => ({
  ...{ phone, lacksZero: phone !== null && lacksZero(value, phone, country) },
});

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Whether the last digits, which have no prefix, are those of another number. */
function isOther(value: string, phone: string | null): boolean {
  const digits = digitsOf(value);
  return digits.length > 5 && !(phone ?? '').endsWith(digits.slice(-6));
}

const isMobile = (number: string | null) => number !== null && (numberType(number) ?? '').endsWith('MOBILE');

/** The digits of the number as they are dialled abroad, in a country whose numbers begin with 0 at home. */
function lacksZero(value: string, phone: string, country: string): boolean {
  const digits = digitsOf(value);
  return (
    /^[1-9]/.test(value) &&
    phone.length > digits.length + 1 &&
    phone.endsWith(digits) &&
    (examplePhone(country)?.startsWith('0') ?? false)
  );
}
