/**
 * The parameters of a query before they are validated. Ajv reads `0x10`, `1e2` and `Infinity` as numbers (8.20), and a parameter
 * that is given twice is to it a list of the wrong type.
 */
import type { FastifySchemaValidationError } from 'fastify';

type Errors = FastifySchemaValidationError[];
export type Validate = ((data: unknown) => unknown) & { errors?: Errors | null };

interface QuerySchema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
}

const digits = /^-?\d{1,15}$/;

function faultOf(type: unknown, value: unknown): Pick<Errors[0], 'keyword' | 'params'> | null {
  if (Array.isArray(value)) return { keyword: 'givenTwice', params: {} };
  if (type === 'integer' && !digits.test(String(value))) return { keyword: 'type', params: { type } };
  return null;
}

/** Wraps the validator of a query: an empty parameter counts as absent, an integer has digits alone, and each is given once. */
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
    // The first fault of a parameter is the one that is named.
    if (validate(query) === false) found.push(...(validate.errors ?? []));
    return found.length > 0 ? { error: found } : true;
  };
}
