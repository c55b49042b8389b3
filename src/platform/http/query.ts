/**
 * Checks of a query that its schema can't express; their faults are reported together with those of the schema. Ajv reads `0x10`,
 * `1e2` and `Infinity` as numbers (8.20), and a parameter that is given twice is to it a list of the wrong type.
 */
import type { FastifySchemaValidationError } from 'fastify';
import { parseInstant } from '#base/values/instant.ts';
import { hasCursorForm } from './paging.ts';

type Errors = FastifySchemaValidationError[];
export type Validate = ((data: unknown) => unknown) & { errors?: Errors | null };

interface QuerySchema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown; readonly format?: unknown }>>;
}

const digits = /^-?\d{1,15}$/;

function faultOf(type: unknown, value: unknown): Pick<Errors[0], 'keyword' | 'params'> | null {
  if (Array.isArray(value)) return { keyword: 'givenTwice', params: {} };
  if (type === 'integer' && !digits.test(String(value))) return { keyword: 'type', params: { type } };
  return null;
}

type Query = Readonly<Record<string, unknown>>;

/** An end before its beginning, and a cursor that no list gave out. */
function judgeTogether(properties: NonNullable<QuerySchema['properties']>, query: Query): Errors {
  const { from, to, cursor } = query;
  const faults: Errors = [];
  const fault = (name: string, keyword: string) =>
    faults.push({ keyword, params: {}, instancePath: `/${name}`, schemaPath: '#' });
  const instantOf = (name: string, text: unknown) =>
    properties[name]?.format === 'instant' && typeof text === 'string' ? parseInstant(text) : null;
  const [begin, end] = [instantOf('from', from), instantOf('to', to)];
  if (begin !== null && end !== null && end < begin) fault('to', 'beforeFrom');
  if ('cursor' in properties && typeof cursor === 'string' && !hasCursorForm(cursor))
    fault('cursor', 'cursor');
  return faults;
}

/**
 * Wraps the validator of a query: an empty parameter counts as absent, an integer consists of digits, and each parameter may come
 * once.
 */
export function judgeQuery({ properties = {} }: QuerySchema, validate: Validate): Validate {
  return (data) => {
    const query = data as Record<string, unknown>;
    const found: Errors = [];
    for (const [name, { type }] of Object.entries(properties)) {
      const value = query[name];
      if (typeof value === 'string' && value.trim() === '') delete query[name];
      else if (value !== undefined) {
        const fault = faultOf(type, value);
        if (fault !== null) found.push({ ...fault, instancePath: `/${name}`, schemaPath: '#' });
      }
    }
    // Only the first fault of a parameter is reported.
    if (validate(query) === false) found.push(...(validate.errors ?? []));
    found.push(...judgeTogether(properties, query));
    return found.length > 0 ? { error: found } : true;
  };
}
