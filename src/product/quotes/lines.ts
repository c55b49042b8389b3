/** The lines of a quote: read as the workshop types them, and added up in whole cents (specification: Quotes 4). */

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

/** Of `title:quantity:price of one`, such as `Brake pads:2:94.50`; the title may hold colons. Adds what is wrong to `errors`. */
export function readLines(texts: readonly string[], errors: FieldError[]): PricedLines {
  const refuse = (field: string, message: string) => void errors.push({ field, message });
  if (texts.length === 0) refuse('line', 'at least one is needed');
  if (texts.length > linesAtMost) refuse('line', `at most ${linesAtMost} are possible`);
  let sum = 0n;
  const lines = texts.slice(0, linesAtMost).map((text, index): QuoteLine => {
    const parts = normaliseString(text).split(':');
    const [unitPrice = '', quantity = ''] = [parts.pop()?.trim(), parts.pop()?.trim()];
    const title = parts.join(':').trim();
    const field = `line[${index}]`;
    if (title === '' || title.length > titleAtMost || /\p{Cc}/u.test(title)) {
      refuse(
        field,
        `must be title:quantity:price, such as "Brake pads:2:94.50", with a title of 1 to ${titleAtMost} characters`,
      );
    } else if (!quantityForm.test(quantity)) {
      refuse(field, 'must have a quantity above 0, with at most three decimals, such as 1.5');
    } else if (!priceForm.test(unitPrice)) {
      refuse(field, 'must have a price from 0 to 9999999.99, with at most two decimals');
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
  if (sum > BigInt(Math.round(moneyAtMost * 100))) refuse('line', `add up to more than ${moneyAtMost}`);
  return { lines, total: decimal(sum) };
}

/** quantity × price in cents, rounded half up. */
export function totalCents(quantity: string, unitPrice: string): bigint {
  return (scaled(quantity, 3) * scaled(unitPrice, 2) + 500n) / 1000n;
}

/** The digits of a decimal with so many after the point: `1.5` with 3 → 1500. */
function scaled(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** `94.50` */
function decimal(cents: bigint): string {
  const digits = cents.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
