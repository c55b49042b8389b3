/** Times as staff type them at the command line. */
import { parseInstant } from './instant.ts';
import { parseLocalTime } from './local-time.ts';

export const typedTimeWords = 'must be like 2030-03-03 or "2030-03-03 09:30"';

/** The instant of `2030-03-03` or `2030-03-03 09:30` in the zone, or of a time in RFC 3339; null for anything else. */
export function parseTypedTime(text: string, timezone: string): Date | null {
  return parseLocalTime(text, timezone) ?? parseInstant(text);
}
