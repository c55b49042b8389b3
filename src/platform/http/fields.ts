/**
 * The building blocks of request schemas: each gives the JSON Schema that validates the field, the TypeScript type of
 * its value and its documentation. Strings arrive here already trimmed and in NFC (`values/text.ts`).
 */
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox';

/** `08:30`, 00:00 to 23:59. */
export const clockTimePattern = '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$';
export const httpsPattern = '^https://';
/** `#0a7d5a` */
export const colourPattern = '^#[0-9A-Fa-f]{6}$';

interface Documented {
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

/** One line: no control characters. */
const oneLine = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';
/** Several lines: no NUL, which PostgreSQL can't store. Other control characters are taken out before (`settle-body.ts`). */
export const linesPattern = '^[^\\u0000]*$';
/** No control characters except white space. */
const spaced = '^[^\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f]*$';
const patterns = { oneLine, lines: linesPattern, spaced, clockTime: clockTimePattern, colour: colourPattern };

interface TextOptions extends Documented {
  readonly max?: number;
  readonly format?: string;
  /** The allowed characters; default `oneLine`. */
  readonly of?: keyof typeof patterns;
}

/** Required text, 1 to `max` characters (default 255), of one line. */
export function text(options: TextOptions = {}): TUnsafe<string> {
  return anyText({ ...options, minLength: 1 });
}

/**
 * Text of 0 to `max` characters (default 255), of one line. In an optional field an empty text means `null`, unless
 * a `minLength` is stated: 0 keeps the empty text, 1 refuses it (`http/settle-body.ts`).
 */
export function anyText(options: TextOptions & { minLength?: 0 | 1 } = {}): TUnsafe<string> {
  const { max = 255, of = 'oneLine', minLength, ...rest } = options;
  return Type.Unsafe<string>({
    type: 'string',
    ...(minLength === undefined ? {} : { minLength }),
    maxLength: max,
    pattern: patterns[of],
    ...rest,
  });
}

/** Text of a form that `http/validation.ts` checks, at most `max` characters. */
const formatted = (format: string, max: number, options: Documented): TUnsafe<string> =>
  Type.Unsafe<string>({ type: 'string', format, maxLength: max, ...options });

/** An RFC 3339 instant with `T` and a zone; 1900 to 2199. */
export function instant(options: Documented = {}): TUnsafe<string> {
  return formatted('instant', 64, { examples: ['2026-03-02T22:30:00.000Z'], ...options });
}

/** A local date `YYYY-MM-DD`, 1900 to 2199. What is longer, such as an instant, is answered with the form of a date. */
export function localDate(options: Documented = {}): TUnsafe<string> {
  return formatted('date', 64, { examples: ['2027-03-01'], ...options });
}

export function email(options: Documented = {}): TUnsafe<string> {
  return formatted('email', 254, options);
}

/** An absolute `http` or `https` address, at most 2,048 characters. */
export function webAddress(options: Documented = {}): TUnsafe<string> {
  return formatted('web-address', 2_048, options);
}

const ofPhone = { max: 64, examples: ['0400000001'] };

/** A phone number in any form; whether it is valid depends on the workshop's country and is checked after the schema. */
export function phone(options: Documented = {}): TUnsafe<string> {
  return text({ ...ofPhone, ...options });
}

/** The same for an optional field: an empty text means absent. */
export function optionalPhone(options: Documented = {}) {
  return optional(anyText({ ...ofPhone, ...options }));
}

/** An absolute `https` address, at most 2,048 characters. */
export function httpsAddress(options: Documented = {}): TUnsafe<string> {
  return Type.Unsafe<string>({ ...webAddress(options), pattern: httpsPattern });
}

export function integer(options: Documented & { min: number; max: number }): TUnsafe<number> {
  const { min, max, ...rest } = options;
  return Type.Unsafe<number>({ type: 'integer', minimum: min, maximum: max, ...rest });
}

/** A decimal amount: not negative, at most two decimals; the error of a binary float is rounded away before. */
export function money(options: Documented = {}): TUnsafe<number> {
  return Type.Unsafe<number>({
    type: 'number',
    minimum: 0,
    maximum: 9_999_999.99,
    format: 'money',
    ...options,
  });
}

export function list<T>(
  items: TUnsafe<T>,
  options: Documented & { min?: number; max?: number } = {},
): TUnsafe<T[]> {
  const { min, max = 100, ...rest } = options;
  const atLeast = min === undefined ? {} : { minItems: min };
  return Type.Unsafe<T[]>({ type: 'array', items, ...atLeast, maxItems: max, ...rest });
}

/** One of a closed set of words. */
export function word<const Word extends string>(
  words: readonly Word[],
  options: Documented = {},
): TUnsafe<Word> {
  return Type.Unsafe<Word>({ type: 'string', enum: [...words], ...options });
}

/** The field may be absent. `null` and an empty text mean the same (on an update: clear it). */
export function optional<T>(schema: TUnsafe<T>) {
  return Type.Optional(nullable(schema));
}

/** A response field that is always present and may be null. */
export function nullable<T>(schema: TUnsafe<T>): TUnsafe<T | null> {
  const { type, enum: words, ...rest } = schema as unknown as { type: string; enum?: readonly T[] };
  const orNull = words && { enum: [...words, null] };
  return Type.Unsafe<T | null>({ ...rest, ...orNull, type: [type, 'null'] });
}

/** A response field with a named structure, or null. */
export function nullableRef<S extends TSchema>(schema: S, description: string) {
  return Type.Union([ref(schema), Type.Null()], { description });
}

/** Refers to a structure that has a name (`$id`) and is listed in `src/api.ts`. */
export function ref<S extends TSchema>(schema: S): TUnsafe<Static<S>> {
  const { $id } = schema as { $id?: string };
  if ($id === undefined) throw new Error('only a structure with an $id can be referred to');
  return Type.Unsafe<Static<S>>({ $ref: `${$id}#` });
}

/** A response field of that form, with its description or its whole documentation. */
function described<T>(form: object) {
  return (said: string | Documented = {}): TUnsafe<T> =>
    Type.Unsafe<T>({ ...form, ...(typeof said === 'string' ? { description: said } : said) });
}

/** Response fields: formatted or computed by this service, so without the limits of a request. */
export const out = {
  string: described<string>({ type: 'string' }),
  uuid: described<string>({ type: 'string', format: 'uuid' }),
  instant: described<string>({ type: 'string', format: 'date-time' }),
  date: described<string>({ type: 'string', format: 'date' }),
  integer: described<number>({ type: 'integer' }),
  number: described<number>({ type: 'number' }),
  boolean: described<boolean>({ type: 'boolean' }),
  /** The constant value of `success` in this response. */
  success: <T extends boolean>(value: T): TUnsafe<T> =>
    Type.Unsafe<T>({ type: 'boolean', enum: [value], description: `Always \`${value}\`.` }),
  list: <Item extends TSchema>(items: Item, description: string): TUnsafe<Static<Item>[]> =>
    Type.Unsafe<Static<Item>[]>({ type: 'array', items, description }),
};

/** When a thing was made and last changed: the last fields of its structure. */
export const times = {
  createdAt: out.instant('When it was made.'),
  updatedAt: out.instant('When it last changed.'),
};
