/** Numbers as gateways write them: E.164 with or without its `+`, short codes, names. */
import { parsePhone } from '#values/phone.ts';

/** E.164 when the text is an international number in any form (`+61…`, `61…`, `0061…`), else null. */
export function internationalPhone(text: string): string | null {
  const compact = text.replace(/[\s().-]/g, '');
  const digits = /^(?:\+|00)?(\d{5,})$/.exec(compact)?.[1];
  // With its `+` the number says its country itself; the one named here is not asked.
  return digits === undefined ? null : parsePhone(`+${digits}`, 'AU');
}

/** All that a workshop's sender may be stored as when an SMS came to this address. */
export function asSender(address: string): string[] {
  const text = address.trim();
  const phone = internationalPhone(text);
  return phone === null ? [text] : [text, phone];
}
