/**
 * The building blocks of request schemas: each gives the JSON Schema that validates the field, the TypeScript type of
 * its value and its documentation. Strings arrive here already trimmed and in NFC (`values/text.ts`).
 */
import { type TSchema, type TUnsafe, Type } from 'typebox';

interface Documented {
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

/** Any character but NUL, which PostgreSQL can't store. */
const noNul = '^[^\\u0000]*$';

/** Required text, 1 to `max` characters (default 255). */
export function text(options: Documented & { max?: number; format?: string } = {}): TUnsafe<string> {
  const { max = 255, ...rest } = options;
  return Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength: max, pattern: noNul, ...rest });
}

/** Text that may be empty, 0 to `max` characters (default 255). */
export function anyText(options: Documented & { max?: number; format?: string } = {}): TUnsafe<string> {
  const { max = 255, ...rest } = options;
  return Type.Unsafe<string>({ type: 'string', maxLength: max, pattern: noNul, ...rest });
}

/** An RFC 3339 instant with `T` and a zone; 1900 to 2199. */
export function instant(options: Documented = {}): TUnsafe<string> {
  return Type.Unsafe<string>({
    type: 'string',
    format: 'instant',
    maxLength: 64,
    examples: ['2026-03-02T22:30:00.000Z'],
    ...options,
  });
}

export function email(options: Documented = {}): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', format: 'email', maxLength: 254, ...options });
}

/** A phone number in any form; whether it is valid depends on the workshop's country and is checked after the schema. */
export function phone(options: Documented = {}): TUnsafe<string> {
  return Type.Unsafe<string>({
    type: 'string',
    minLength: 1,
    maxLength: 64,
    pattern: noNul,
    examples: ['0400000001'],
    ...options,
  });
}

export function integer(options: Documented & { min: number; max: number }): TUnsafe<number> {
  const { min, max, ...rest } = options;
  return Type.Unsafe<number>({ type: 'integer', minimum: min, maximum: max, ...rest });
}

/** A decimal amount: not negative, at most two decimals. */
export function money(options: Documented = {}): TUnsafe<number> {
  return Type.Unsafe<number>({
    type: 'number',
    minimum: 0,
    maximum: 9_999_999.99,
    format: 'money',
    ...options,
  });
}

export function list<T>(items: TUnsafe<T>, options: Documented & { max?: number } = {}): TUnsafe<T[]> {
  const { max = 100, ...rest } = options;
  return Type.Unsafe<T[]>({ type: 'array', items, maxItems: max, ...rest });
}

/** The field may be absent, and `null` says the same (on an update: clear it). */
export function optional<T>(schema: TUnsafe<T>) {
  const { type, ...rest } = schema as unknown as { type: string };
  return Type.Optional(Type.Unsafe<T | null>({ ...rest, type: [type, 'null'] }));
}

/** A response field that is always present and may be null. */
export function nullable<T>(schema: TUnsafe<T>): TUnsafe<T | null> {
  const { type, ...rest } = schema as unknown as { type: string };
  return Type.Unsafe<T | null>({ ...rest, type: [type, 'null'] });
}

/** Refers to a component registered with `components` in `http/openapi.ts`. */
export function ref<T>(name: string): TUnsafe<T> {
  return Type.Unsafe<T>({ $ref: `${name}#` });
}

/** Response fields: formatted or computed by this service, so without the limits of a request. */
export const out = {
  string: (options: Documented = {}): TUnsafe<string> => Type.Unsafe<string>({ type: 'string', ...options }),
  uuid: (options: Documented = {}): TUnsafe<string> =>
    Type.Unsafe<string>({ type: 'string', format: 'uuid', ...options }),
  instant: (options: Documented = {}): TUnsafe<string> =>
    Type.Unsafe<string>({ type: 'string', format: 'date-time', ...options }),
  integer: (options: Documented = {}): TUnsafe<number> =>
    Type.Unsafe<number>({ type: 'integer', ...options }),
  number: (options: Documented = {}): TUnsafe<number> => Type.Unsafe<number>({ type: 'number', ...options }),
  boolean: (options: Documented = {}): TUnsafe<boolean> =>
    Type.Unsafe<boolean>({ type: 'boolean', ...options }),
  list: <T>(items: TUnsafe<T> | TSchema): TUnsafe<T[]> => Type.Unsafe<T[]>({ type: 'array', items }),
};
