/** Refuses numbers that are not finite: Ajv (8.20) coerces the text `Infinity` to a number and then checks no limit. */
import type { FastifySchemaValidationError } from 'fastify';

type Errors = FastifySchemaValidationError[];
export type Validate = ((data: unknown) => unknown) & { errors?: Errors | null };

/** Wraps the validator of a query, path or header. */
export function finiteOnly(validate: Validate): Validate {
  return (data) => {
    if (validate(data) === false) return { error: validate.errors };
    const error = Object.entries(Object(data))
      .filter(([, value]) => typeof value === 'number' && !Number.isFinite(value))
      .map(([name]) => ({
        keyword: 'type',
        instancePath: `/${name}`,
        schemaPath: '#',
        params: { type: 'integer' },
        message: 'must be an integer',
      }));
    return error.length > 0 ? { error } : true;
  };
}
