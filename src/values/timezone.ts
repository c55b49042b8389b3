/** Time zones by their IANA name. */

/** True for a name such as `Australia/Sydney` or `UTC`; false for bare offsets, which have no daylight saving. */
export function isTimezone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
