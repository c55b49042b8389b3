/** Numbers as people type them: with a decimal point or comma, with the thousands set apart, with the sign of a currency. */

const grouped = (mark: string, point: string) => new RegExp(`^\\d{1,3}(?:${mark}\\d{3})+(?:${point}\\d*)?$`);
const [commas, points, spaces] = [
  grouped(',', '\\.'),
  grouped('\\.', ','),
  grouped("[ \u00a0\u202f']", '[.,]'),
];

/** In characters: far more than the largest price has with its marks. */
const lengthAtMost = 64;

/**
 * As a plain decimal such as `1234.5`. What is no number, or longer than 64 characters, stays as it was typed, for whoever judges it; null: it could be read in two ways, as
 * `1,234` for a thousand or for one.
 */
export function plainDecimal(typed: string): string | null {
  if (typed.length > lengthAtMost) return typed;
  const text = typed
    .trim()
    .replace(/^\p{Sc}/u, '')
    .trimStart()
    .replace(/\p{Sc}$/u, '')
    .trimEnd();
  if (/^\d{1,3},\d{3}$/.test(text)) return null;
  if (commas.test(text)) return text.replaceAll(',', '');
  if (/,/.test(text) && points.test(text)) return text.replaceAll('.', '').replace(',', '.');
  if (spaces.test(text)) return text.replaceAll(/[ \u00a0\u202f']/g, '').replace(',', '.');
  return /^\d+,\d*$/.test(text) ? text.replace(',', '.') : text;
}
