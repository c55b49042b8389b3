/** E-mail addresses. */
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { withoutMarks } from './invisible.ts';

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

const link = /^\s*mailto:\s*([^\s?]*)(?:\?.*)?$/is;

/** An address as it was pasted, without what nobody sees and the `mailto:` of a link with its `?subject=…`; white space around it is gone. */
export function cleanEmail(text: string): string {
  const seen = withoutMarks(text).trim();
  return link.exec(seen)?.[1] ?? seen;
}
