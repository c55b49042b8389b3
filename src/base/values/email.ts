/** E-mail addresses. */
import { fullFormats } from 'ajv-formats/dist/formats.js';

const form = fullFormats.email;

/**
 * True for an address of the usual form: ASCII, a domain with dots whose last label is not a number, within SMTP's lengths
 * (64 before the @, 63 a label, 254 in all).
 */
export function isEmail(text: string): boolean {
  if (text.length > 254 || !(form instanceof RegExp) || !form.test(text)) return false;
  const at = text.lastIndexOf('@');
  const labels = text.slice(at + 1).split('.');
  return at <= 64 && labels.every((label) => label.length <= 63) && !/^\d+$/.test(labels.at(-1) ?? '');
}
