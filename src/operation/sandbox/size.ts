/** The segments of an SMS and their price. */
import { amountOf, type SegmentPrice } from '#base/values/segment-price.ts';
import { measureSms, type SmsMeasure } from '#base/values/sms-text.ts';

export interface SmsSize extends Pick<SmsMeasure, 'encoding' | 'segments'> {
  /** Null: no price of a segment is set. */
  readonly cost: { readonly amount: number; readonly currency: string } | null;
}

export function sizeOf(text: string, price: SegmentPrice | null): SmsSize {
  const { encoding, segments } = measureSms(text);
  if (price === null) return { encoding, segments, cost: null };
  return { encoding, segments, cost: { amount: amountOf(segments, price), currency: price.currency } };
}
