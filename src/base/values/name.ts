/** Names that an operator gives to partners, workshops and templates. */

const lengthAtMost = 255;

/** Returns the fault of a normalised name, or null. */
export function nameFault(name: string): string | null {
  if (name === '' || name.length > lengthAtMost) return `must have 1 to ${lengthAtMost} characters`;
  return /\p{Cc}/u.test(name) ? 'must not have control characters' : null;
}
