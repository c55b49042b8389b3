/** How long an SMS is, and what it would cost. */
import type { SegmentPrice } from '#base/config/sandbox.ts';
import { measureSms, type SmsMeasure } from '#base/values/sms-text.ts';

export interface SmsSize extends Pick<SmsMeasure, 'encoding' | 'segments'> {
  /** Null: the price of a segment is not known. */
  readonly cost: { readonly amount: number; readonly currency: string } | null;
}

export function sizeOf(text: string, price: SegmentPrice | null): SmsSize {
  const { encoding, segments } = measureSms(text);
  if (price === null) return { encoding, segments, cost: null };
  const { amount, currency } = price;
  // Prices have four decimals at most; a product of binary fractions has more.
  return { encoding, segments, cost: { amount: Math.round(segments * amount * 1e4) / 1e4, currency } };
}
