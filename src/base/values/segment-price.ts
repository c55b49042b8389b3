/** The price of a segment, and of several. */

export interface SegmentPrice {
  /** Whole units, of which `10 ** decimals` make one of the currency: a price is counted, and never rounded. */
  readonly units: number;
  readonly decimals: number;
  /** ISO 4217 */
  readonly currency: string;
}

/** As a number of the currency: the nearest to what is written down for it. */
export const amountOf = (segments: number, { units, decimals }: SegmentPrice): number =>
  (units * segments) / 10 ** decimals;

/** `0.158 AUD`: with as many decimals as the price has, and two at least. */
export function costOf(segments: number, { units, decimals, currency }: SegmentPrice): string {
  const digits = String(units * segments).padStart(decimals + 1, '0');
  const [whole, fraction] = [
    digits.slice(0, digits.length - decimals),
    digits.slice(digits.length - decimals),
  ];
  return `${whole}.${fraction.padEnd(2, '0')} ${currency}`;
}
