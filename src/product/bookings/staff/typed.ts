/** What staff type of a booking, as fields of the API: times in the workshop's zone, services by their codes or in words. */

import type { FieldFault } from '#base/operator-error.ts';
import { clockFaults, notTyped, parseTypedTime, typedClockFault } from '#base/values/typed-time.ts';
import type { FieldError } from '#errors.ts';
import type { Database } from '#platform/db/database.ts';
import { refreshOffer } from '#product/catalogue/offer.ts';

/** A code of the workshop's catalogue, or a title. */
export async function typedServices(
  db: Database,
  workshopId: string,
  words: readonly string[],
): Promise<({ catalogCode: string } | { title: string })[]> {
  const offer = words.length === 0 ? null : await refreshOffer(db, workshopId);
  return words.map((word) => (offer?.byCode.has(word) ? { catalogCode: word } : { title: word }));
}

export interface TypedTimes<Name extends string> {
  /** As RFC 3339; null where an empty text was typed, and absent where none was, or it is wrong. */
  readonly times: { readonly [N in Name]?: string | null };
  /** `skippedTime`, `doubledTime`: clocks don't say when it is. */
  readonly errors: readonly FieldFault[];
}

export interface TypedAt {
  readonly timezone: string;
  readonly now: Date;
  /** A time that clocks skip or show twice is refused; else it is as `parseTypedTime` takes it. */
  readonly asksClock: boolean;
}

/** The times among what was typed. */
export function typedTimes<Name extends string>(
  typed: Readonly<Partial<Record<Name, string>>>,
  names: readonly Name[],
  { timezone, now, asksClock }: TypedAt,
): TypedTimes<Name> {
  const times: { [N in Name]?: string | null } = {};
  const errors: FieldFault[] = [];
  for (const name of names) {
    const text = typed[name];
    if (text === undefined) continue;
    const time = text === '' ? null : parseTypedTime(text, timezone, now)?.toISOString();
    const fault = asksClock ? typedClockFault(text, timezone, now) : null;
    if (time === undefined) errors.push({ field: name, message: notTyped });
    else if (fault === null) times[name] = time;
    else
      errors.push({
        ...{ field: name, message: clockFaults[fault] },
        code: fault === 'twice' ? 'doubledTime' : 'skippedTime',
      });
  }
  return { times, errors };
}

/** Faults of a body by the options that the fields come from: `services[0].title` is the option `service`. */
export function typedFaults(errors: readonly FieldError[]): FieldError[] {
  return errors.map((each) => (each.field.startsWith('services') ? { ...each, field: 'service' } : each));
}
