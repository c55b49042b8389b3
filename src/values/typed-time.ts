/** Times as staff type them at the command line. */
import { parseInstant } from './instant.ts';
import { parseLocalTime } from './local-time.ts';

/** The instant of `2030-03-03` or `2030-03-03 09:30` in the zone, or of a time in RFC 3339; null for anything else. */
export function parseTypedTime(text: string, timezone: string): Date | null {
  return parseLocalTime(text, timezone) ?? parseInstant(text);
}

interface TypedPeriod {
  /** Null where none was typed, or it is wrong. */
  readonly from: Date | null;
  readonly to: Date | null;
  /** What is wrong, by the option's name. */
  readonly errors: readonly { readonly field: 'from' | 'to'; readonly message: string }[];
}

/** The options `from` and `to`, each as `parseTypedTime` takes it. */
export function parseTypedPeriod(
  typed: { readonly from?: string; readonly to?: string },
  timezone: string,
): TypedPeriod {
  const errors: TypedPeriod['errors'][number][] = [];
  const instant = (field: 'from' | 'to') => {
    const text = typed[field];
    if (text === undefined) return null;
    const at = parseTypedTime(text, timezone);
    if (at === null) errors.push({ field, message: 'must be like 2030-03-03 or "2030-03-03 09:30"' });
    return at;
  };
  return { from: instant('from'), to: instant('to'), errors };
}
