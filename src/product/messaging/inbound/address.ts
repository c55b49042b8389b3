/** Numbers as gateways write them: E.164 with or without its `+`, short codes, names. */
import { parsePhone } from '#base/values/phone.ts';

/** E.164 when the text is an international number in any form (`+61…`, `61…`, `0061…`), else null. */
export function internationalPhone(text: string): string | null {
  const compact = text.replace(/[\s().-]/g, '');
  const digits = /^(?:\+|00)?(\d{5,})$/.exec(compact)?.[1];
  // The number has a `+`, so the country argument has no effect.
  return digits === undefined ? null : parsePhone(`+${digits}`, 'AU');
}

/** Every form in which the number that an SMS came to may be stored as a workshop's sender. */
export function asSender(address: string): string[] {
  const text = address.trim();
  const phone = internationalPhone(text);
  return phone === null ? [text] : [text, phone];
}
