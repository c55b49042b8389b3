/** The audience of a blast: conditions on a workshop's customers, all of which must hold (specification: Blasts 1). */
import { type Static, Type } from 'typebox';
import { InvalidInput } from '#base/operator-error.ts';
import { parseInstant } from '#base/values/instant.ts';
import { localDay } from '#base/values/local-day.ts';
import type { FieldError } from '#errors.ts';
import { text, word } from '#platform/http/fields.ts';
import { valueReader } from '#platform/http/validation.ts';
import { serviceCategories } from '#product/catalogue/categories.ts';

const day = (description: string) => Type.Optional(text({ max: 64, description, examples: ['2026-03-01'] }));
const year = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1800, maximum: 2200, description }));
const visit = 'A visit is a booking that is past and not cancelled.';

export const Audience = Type.Object(
  {
    lastVisitBefore: day(`The last visit was before this local date. ${visit}`),
    lastVisitAfter: day('The last visit was on this local date or later.'),
    serviceCategories: Type.Optional(
      Type.Array(word(serviceCategories), {
        minItems: 1,
        maxItems: 4,
        description: 'One of the visits was for one of these categories.',
      }),
    ),
    carYearFrom: year('They have a car of this year or a later one,'),
    carYearTo: year('and of this year or an earlier one.'),
    tags: Type.Optional(
      Type.Array(text({ max: 64 }), {
        minItems: 1,
        maxItems: 100,
        description: 'They have one of these tags.',
      }),
    ),
    neverVisited: Type.Optional(
      Type.Boolean({ description: 'True: there was no visit yet. False: there was one.' }),
    ),
  },
  { $id: 'Audience', description: 'Conditions, which hold all together; without any, all customers.' },
);
export type Audience = Static<typeof Audience>;

/** The conditions as values of the statement over customers; null: no such condition. */
export interface AudienceConditions {
  readonly visitedBefore: Date | null;
  readonly visitedFrom: Date | null;
  readonly serviceCategories: readonly string[] | null;
  readonly carYearFrom: number | null;
  readonly carYearTo: number | null;
  readonly tags: readonly string[] | null;
  readonly neverVisited: boolean | null;
}

/** The beginning of a local date, or an instant unchanged; null when the text is neither. */
function readDay(value: string | undefined, timezone: string): Date | null {
  if (value === undefined) return null;
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return parseInstant(value);
  try {
    return new Date(localDay(value, timezone).start);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

export function conditionsOf(audience: Audience, timezone: string): AudienceConditions {
  return {
    visitedBefore: readDay(audience.lastVisitBefore, timezone),
    visitedFrom: readDay(audience.lastVisitAfter, timezone),
    serviceCategories: audience.serviceCategories ?? null,
    carYearFrom: audience.carYearFrom ?? null,
    carYearTo: audience.carYearTo ?? null,
    tags: audience.tags ?? null,
    neverVisited: audience.neverVisited ?? null,
  };
}

const readFields = valueReader(Audience, 'audience');

/** Parses the JSON that an operator types. Throws InvalidInput, which names every bad or unknown field. */
export function readAudience(json: string, timezone: string): Audience {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new InvalidInput([{ field: 'audience', message: 'is not JSON, such as {"tags":["vip"]}' }]);
  }
  const { errors: faults } = readFields(value);
  const errors: FieldError[] = faults.map(({ field, message }) => ({ field: named(field), message }));
  if (errors.length > 0) throw new InvalidInput(errors);
  const audience = value as Audience;
  for (const name of Object.keys(audience)) {
    if (!Object.hasOwn(Audience.properties, name))
      errors.push({
        field: named(name),
        message: `is unknown; there are: ${Object.keys(Audience.properties).join(', ')}`,
      });
  }
  for (const name of ['lastVisitBefore', 'lastVisitAfter'] as const) {
    if (audience[name] !== undefined && readDay(audience[name], timezone) === null)
      errors.push({ field: named(name), message: 'must be a date that exists, such as 2026-03-01' });
  }
  if ((audience.carYearFrom ?? 0) > (audience.carYearTo ?? Number.POSITIVE_INFINITY))
    errors.push({ field: named('carYearTo'), message: 'must not be before carYearFrom' });
  if (errors.length > 0) throw new InvalidInput(errors);
  return audience;
}

const named = (field: string) => (field.startsWith('audience') ? field : `audience.${field}`);
