/** The segments of a text, and their cost where a price is set. `segments.mjs` counts the same in the browser. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { costOf, type SegmentPrice } from '#base/values/segment-price.ts';
import { measureSms } from '#base/values/sms-text.ts';
import { cleanText } from '#base/values/text.ts';
import { type Field, textArea } from '#platform/pages/components.ts';
import { scriptPath } from '../frame/files.ts';

/** The script of pages with such a text. */
export const countScripts: readonly string[] = [scriptPath('count.mjs')];

/** `2 segments, 0.16 AUD; 12 left`; empty for a text without a character. */
export function countText(typed: string, price: SegmentPrice | null): string {
  const text = cleanText(typed);
  if (text === '') return '';
  const { encoding, segments, unitsLeft } = measureSms(text);
  const many = segments === 1 ? '1 segment' : `${segments} segments`;
  const cost = price === null ? '' : `, ${costOf(segments, price)}`;
  return `${many}${encoding === 'gsm7' ? '' : ' (special characters)'}${cost}; ${unitsLeft} left`;
}

/**
 * A text box with its count; without JavaScript it is that of the text which the page was loaded with. It is not an `output`,
 * which would be a second status region.
 */
export function countedText(of: Field, price: SegmentPrice | null): SafeHtml {
  const { value = '' } = of;
  const each = price === null ? '' : `${price.units} ${price.decimals} ${price.currency}`;
  return html`<div data-count="${each}">${textArea(of)}<p class="hint" data-segments>${countText(value, price)}</p></div>`;
}
