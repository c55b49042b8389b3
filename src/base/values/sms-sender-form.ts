/** The kind of a sender, by its form alone: the settings ask, which every command reads, and numbering plans take long to load. */

/** Whether a sender is a name, which nobody can answer, not even with STOP. */
export const isSenderName = (sender: string): boolean => /\p{L}/u.test(sender);

/** Whether a sender is a short code. */
export const isShortCode = (sender: string): boolean => /^\d+$/.test(sender);

/** Returns the form of a sender in a gateway's settings, where no country is known. Null: no sender. */
export function senderForm(given: string): 'number' | 'shortCode' | 'name' | null {
  if (/^\+[1-9]\d{6,14}$/.test(given)) return 'number';
  if (/^\d{3,8}$/.test(given)) return 'shortCode';
  const isName = /^[\x21-\x7e](?:[\x20-\x7e]{0,9}[\x21-\x7e])?$/.test(given) && /[A-Za-z]/.test(given);
  return isName ? 'name' : null;
}
