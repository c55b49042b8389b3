/** Parses typed input of a booking into fields of the API: times in the workshop's zone, services by code or title. */

import type { FieldFault } from '#base/operator-error.ts';
import { clockFaults, notTyped, parseTypedTime, typedClockFault } from '#base/values/typed-time.ts';
import type { FieldError } from '#errors.ts';
import type { Database } from '#platform/db/database.ts';
import { valueReader } from '#platform/http/validation.ts';
import { refreshOffer } from '#product/catalogue/offer.ts';
import { CarDetails } from '../schema.ts';

/** False for a blank line of a list. */
export const hasText = (text: string): boolean => text.trim() !== '';

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
  /** As RFC 3339; null for an empty text, and absent when nothing was typed or it is invalid. */
  readonly times: { readonly [N in Name]?: string | null };
  /** `skippedTime`, `doubledTime`: daylight saving makes the local time invalid or ambiguous. */
  readonly errors: readonly FieldFault[];
}

export interface TypedAt {
  readonly timezone: string;
  readonly now: Date;
  /** Refuses a local time that daylight saving skips or repeats; otherwise it is read as by `parseTypedTime`. */
  readonly asksClock: boolean;
}

/** The times among the typed fields. */
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

/** A typed whole number; other texts stay, and the schema refuses them. */
export const typedInteger = (typed: string): number | string =>
  /^\d{1,9}$/.test(typed.trim()) ? Number(typed) : typed;

/** A car's details, as typed. */
export type TypedDetails = Readonly<Partial<Record<keyof CarDetails, string | undefined>>>;

const readDetails = valueReader(CarDetails, 'car');

/** A car's typed details: an absent one stays, and an empty text clears. */
export function typedDetails(typed: TypedDetails) {
  const given = Object.entries(typed).flatMap(([name, text]) => {
    if (text === undefined) return [];
    const value = name === 'carYear' ? typedInteger(text) : text;
    return [[name, text.trim() === '' ? null : value] as const];
  });
  const { value, errors } = readDetails(Object.fromEntries(given));
  return { value: value as CarDetails, errors };
}

/** Faults of a body, named by the option that the field came from: `services[0].title` becomes the option `service`, `jobNotes[2]` `jobNotes`. */
export function typedFaults(errors: readonly FieldError[]): FieldError[] {
  return errors.map(({ field, ...each }) => ({
    ...each,
    field: field.startsWith('services') ? 'service' : field.replace(/\[\d+\]$/, ''),
  }));
}
