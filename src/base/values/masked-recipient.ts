/** A phone or e-mail address for somebody who need only tell one from another. */

/** `+61491570313` → `+61…313`, `kim@mail.example` → `k…@mail.example`; a text that is neither → `…`. */
export function maskedRecipient(recipient: string): string {
  const at = recipient.lastIndexOf('@');
  if (at > 0) return `${[...recipient][0]}…${recipient.slice(at)}`;
  const digits = /^\+?\d{7,}$/.exec(recipient)?.[0];
  return digits === undefined ? '…' : `${digits.slice(0, 3)}…${digits.slice(-3)}`;
}
