/** The lines of a quote: parsed from typed text, and added up in whole cents (specification: Quotes 4). */

import { moneyAtMost } from '#base/values/money.ts';
import { normaliseString } from '#base/values/text.ts';
import type { FieldError } from '#errors.ts';
import type { QuoteLine } from './schema.ts';

export const linesAtMost = 100;
const titleAtMost = 255;

/** More than 0, at most 99,999.999. */
const quantityForm = /^(?=.*[1-9])\d{1,5}(?:\.\d{1,3})?$/;
/** 0 to 9,999,999.99. */
const priceForm = /^\d{1,7}(?:\.\d{1,2})?$/;

export interface PricedLines {
  readonly lines: readonly QuoteLine[];
  /** A decimal, as a text. */
  readonly total: string;
}

/** A line as it was typed: the numbers as plain decimals, such as `1.5`. */
export interface TypedLine {
  readonly title: string;
  readonly quantity: string;
  /** The price of one. */
  readonly unitPrice: string;
}

/** Reports a fault of a part of the line with this index, counted from 0; both null: of all lines together. */
export type RefuseLine = (index: number | null, part: keyof TypedLine | null, message: string) => void;

/** Computes totals. A refused line counts as 0. */
export function priceLines(typed: readonly TypedLine[], refuse: RefuseLine): PricedLines {
  if (typed.length === 0) refuse(null, null, 'at least one is needed');
  if (typed.length > linesAtMost) refuse(null, null, `at most ${linesAtMost} are possible`);
  let sum = 0n;
  const lines = typed.slice(0, linesAtMost).map(({ title, quantity, unitPrice }, index): QuoteLine => {
    if (title === '' || title.length > titleAtMost || /\p{Cc}/u.test(title)) {
      refuse(index, 'title', `must have 1 to ${titleAtMost} characters, in one line`);
    } else if (!quantityForm.test(quantity)) {
      refuse(index, 'quantity', 'must be above 0 and below 100000, with at most three decimals, such as 1.5');
    } else if (!priceForm.test(unitPrice)) {
      refuse(index, 'unitPrice', 'must be from 0 to 9999999.99, with at most two decimals');
    } else {
      const cents = totalCents(quantity, unitPrice);
      sum += cents;
      return {
        title,
        quantity: Number(quantity),
        unitPrice: Number(unitPrice),
        total: Number(decimal(cents)),
      };
    }
    return { title, quantity: 0, unitPrice: 0, total: 0 };
  });
  if (sum > BigInt(Math.round(moneyAtMost * 100))) refuse(null, null, `add up to more than ${moneyAtMost}`);
  return { lines, total: decimal(sum) };
}

/** In the form of `readLines`; the title may contain colons. */
export const lineText = ({ title, quantity, unitPrice }: TypedLine): string =>
  [title, quantity, unitPrice].join(':');

/** The faults of a part, worded for the whole line. */
const inTextForm: Readonly<Record<keyof TypedLine, (message: string) => string>> = {
  title: () =>
    `must be title:quantity:price, such as "Brake pads:2:94.50", with a title of 1 to ${titleAtMost} characters`,
  quantity: (message) => `has a quantity that ${message}`,
  unitPrice: (message) => `has a price that ${message}`,
};

/** Parses `title:quantity:unit price`, such as `Brake pads:2:94.50`; the title may contain colons. Adds faults to `errors`. */
export function readLines(texts: readonly string[], errors: FieldError[]): PricedLines {
  return priceLines(texts.map(splitLine), (index, part, message) =>
    errors.push({
      field: index === null ? 'line' : `line[${index}]`,
      message: part === null ? message : inTextForm[part](message),
    }),
  );
}

function splitLine(text: string): TypedLine {
  const parts = normaliseString(text).split(':');
  const [unitPrice = '', quantity = ''] = [parts.pop()?.trim(), parts.pop()?.trim()];
  return { title: parts.join(':').trim(), quantity, unitPrice };
}

/** quantity × price in cents, rounded half up. */
export function totalCents(quantity: string, unitPrice: string): bigint {
  return (scaled(quantity, 3) * scaled(unitPrice, 2) + 500n) / 1000n;
}

/** A decimal as an integer, scaled by 10^decimals: `1.5` with 3 → 1500. */
function scaled(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** `94.50` */
function decimal(cents: bigint): string {
  const digits = cents.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
