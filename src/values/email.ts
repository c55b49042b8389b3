/** E-mail addresses. */
import { fullFormats } from 'ajv-formats/dist/formats.js';

const form = fullFormats.email;

/** True for an address of the usual form (a dotted domain, ASCII), within SMTP's lengths. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && text.lastIndexOf('@') <= 64 && form instanceof RegExp && form.test(text);
}
