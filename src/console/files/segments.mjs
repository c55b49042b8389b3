/**
 * Counts the segments and the cost of a text while it is typed. A test compares it with the server's count
 * (`base/values/sms-text.ts`).
 */

const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extended = new Set('\f^{}\\[~]|€');

const invisible = /^[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+$/u;

/** The text as it is sent: trimmed, without control characters, in NFC. */
const cleaned = (typed) =>
  typed
    .toWellFormed()
    .replace(/\r\n?|[\v\f\u0085]/g, '\n')
    .replace(/[\p{Cc}--[\t\n]]/gv, '')
    .trim()
    .normalize('NFC');

export function measure(typed) {
  const text = cleaned(typed);
  const isEmpty = text === '' || invisible.test(text);
  const characters = [...text];
  const isGsm = characters.every((each) => basic.has(each) || extended.has(each));
  const sizes = characters.map((each) => (isGsm ? (extended.has(each) ? 2 : 1) : each.length));
  const units = sizes.reduce((sum, size) => sum + size, 0);
  const [alone, inSeries] = isGsm ? [160, 153] : [70, 67];
  const perSegment = units <= alone ? alone : inSeries;
  let [segments, used] = [1, 0];
  for (const size of sizes) {
    if (used + size > perSegment) [segments, used] = [segments + 1, 0];
    used += size;
  }
  return { isGsm, segments, left: perSegment - used, isEmpty };
}

/** `price` has units, decimals and currency, with spaces between them; empty: the price is not set. */
function costOf(segments, price) {
  const [units, decimals, currency] = price.split(' ');
  const digits = String(units * segments).padStart(Number(decimals) + 1, '0');
  const at = digits.length - decimals;
  return `${digits.slice(0, at)}.${digits.slice(at).padEnd(2, '0')} ${currency}`;
}

/** `2 segments, 0.16 AUD; 12 characters left`. */
export function countText(typed, price) {
  const { isGsm, segments, left, isEmpty } = measure(typed);
  if (isEmpty) return '';
  const cost = price === '' ? '' : `, ${costOf(segments, price)}`;
  const many = segments === 1 ? '1 segment' : `${segments} segments`;
  return `${many}${isGsm ? '' : ' (special characters)'}${cost}; ${left} left`;
}
