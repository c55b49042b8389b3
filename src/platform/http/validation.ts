/** Validates requests: bodies without type coercion, path and query with it. Collects every failing field. */

import AjvCompiler from '@fastify/ajv-compiler';
import type { Ajv } from 'ajv';
import type {
  FastifyError,
  FastifyRequest,
  FastifySchemaValidationError,
  FastifyServerOptions,
} from 'fastify';
import { isEmail } from '#base/values/email.ts';
import { parseInstant } from '#base/values/instant.ts';
import { isMoney } from '#base/values/money.ts';
import { ownValue } from '#base/values/own-value.ts';
import { normaliseStrings, TooDeep } from '#base/values/text.ts';
import { isWebAddress } from '#base/values/web-address.ts';
import type { FieldError } from '#errors.ts';
import { Problem } from '#errors.ts';
import { boundedSchema } from './bounded-schema.ts';
import { builtOnce, compiledOnce } from './compiled-once.ts';
import { clockTimePattern, colourPattern, httpsPattern } from './fields.ts';
import { foreignCursor } from './paging.ts';
import { judgeQuery, type Validate } from './query.ts';
import { buildSerializer } from './serializers.ts';
import { settleBody } from './settle-body.ts';
import { strictFaults } from './strict.ts';

const formats = {
  instant: (value: string) => parseInstant(value) !== null,
  email: isEmail,
  date: (value: string) => parseInstant(`${value}T00:00:00Z`) !== null,
  // For the document only: an id that is not a UUID is an unknown id (specification: Ids 2).
  uuid: true as const,
  'date-time': true as const,
  'web-address': isWebAddress,
  money: { type: 'number' as const, validate: isMoney },
};

interface SchemaRoute {
  readonly httpPart: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const buildCompiler = AjvCompiler();
const bodiesOnce = compiledOnce<SchemaRoute, Validate>();
const restOnce = compiledOnce<SchemaRoute, Validate>();
type ExternalSchemas = Parameters<typeof buildCompiler>[0];

function compilerOf(externalSchemas: ExternalSchemas, coerceTypes: boolean) {
  const customOptions = { allErrors: true, removeAdditional: false, allowUnionTypes: true, coerceTypes };
  // After the compiler has added its formats, since ours replace those of the same name.
  const onCreate = (ajv: Ajv) => {
    for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format);
  };
  return buildCompiler(externalSchemas, { customOptions, onCreate });
}

/** Fastify's compilers: a validator without coercion for bodies, one with coercion for the rest, and the serializer of answers. */
export const schemaController: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: {
    buildValidator: builtOnce((externalSchemas) => {
      const schemas = externalSchemas as ExternalSchemas;
      const strict = compilerOf(schemas, false);
      const coercing = compilerOf(schemas, true);
      const ofBody = bodiesOnce(
        schemas,
        (route) => strict({ ...route, schema: boundedSchema(route.schema) } as typeof route) as Validate,
      );
      const ofRest = restOnce(schemas, (route) => {
        const validate = coercing(route) as Validate;
        return route.httpPart === 'querystring' ? judgeQuery(route.schema, validate) : validate;
      });
      return (route: SchemaRoute) => (route.httpPart === 'body' ? ofBody : ofRest)(route);
    }) as unknown as typeof buildCompiler,
    buildSerializer,
  },
};

/** The value with its strings normalised, and what is wrong with it: every failing field is named. */
type ValueReader = (given: unknown) => { value: unknown; errors: FieldError[] };

/**
 * Makes what validates values that are no body of a request (a form, a file of the command line) like a body: strings are
 * normalised, in place; `whole` names the value itself. The schema is compiled at the first value. Make readers at module level: a
 * compiled schema is never freed.
 */
export function valueReader(schema: object, whole: string): ValueReader {
  let validate: Validate | undefined;
  return (given) => {
    const value = settleBody(schema, normaliseStrings(given));
    validate ??= (compilerOf({}, false) as unknown as (route: SchemaRoute) => Validate)({
      ...{ httpPart: 'body', schema: boundedSchema(schema as SchemaRoute['schema']) },
    });
    const errors = validate(value)
      ? []
      : fieldErrors(validate.errors as FastifySchemaValidationError[], whole);
    return { value, errors };
  };
}

/** Trims and normalises the strings of the body, and its values (settle-body.ts), before it is validated. */
export async function normaliseBody(request: FastifyRequest): Promise<void> {
  if (request.body === null || typeof request.body !== 'object' || Buffer.isBuffer(request.body)) return;
  try {
    request.body = settleBody(request.routeOptions.schema?.body as object, normaliseStrings(request.body));
  } catch (error) {
    if (error instanceof TooDeep) throw new Problem('000001', { message: 'The body is nested too deeply' });
    throw error;
  }
}

const formatMessages: Readonly<Record<string, string>> = {
  instant:
    'must be a date and time such as 2026-03-02T22:30:00Z: RFC 3339 with T, and with Z or an offset, from 1900 to 2199',
  email: 'must be a valid e-mail address',
  date: 'must be a date such as 2026-03-02, from 1900 to 2199',
  'web-address': 'must be an address such as https://calls.example/1.mp3, without a user name',
  money: 'must be an amount with at most two decimals',
};

const patternMessages: Readonly<Record<string, string>> = {
  [clockTimePattern]: 'must be a time such as 08:30',
  [httpsPattern]: 'must begin with https://',
  [colourPattern]: 'must be a colour such as #0a7d5a',
};

function describe(error: FastifySchemaValidationError): string {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'givenTwice':
      return 'is given more than once';
    case 'beforeFrom':
      return 'must not be before from';
    case 'cursor':
      return foreignCursor;
    case 'required':
      return 'is required';
    case 'type': {
      const types = [params['type']].flat().filter((type) => type !== 'null');
      return `must be ${types.map((type) => (type === 'integer' || type === 'array' || type === 'object' ? `an ${type}` : `a ${type}`)).join(' or ')}`;
    }
    case 'additionalProperties':
      return 'is not known here';
    case 'minLength':
      return 'must not be empty';
    case 'maxLength':
      return `must have at most ${params['limit']} characters`;
    case 'minItems':
      return `must have at least ${params['limit']} ${params['limit'] === 1 ? 'item' : 'items'}`;
    case 'maxItems':
      return `must have at most ${params['limit']} items`;
    case 'maxProperties':
      return `must have at most ${params['limit']} fields`;
    case 'minimum':
      return `must be at least ${params['limit']}`;
    case 'maximum':
      return `must be at most ${params['limit']}`;
    case 'pattern':
      return (
        ownValue(patternMessages, String(params['pattern'])) ?? 'has a character or form that is not allowed'
      );
    case 'enum':
      return `must be one of: ${(params['allowedValues'] as unknown[]).filter((value) => value !== null).join(', ')}`;
    case 'format':
      return ownValue(formatMessages, String(params['format'])) ?? 'has a form that is not allowed';
    default:
      return error.message ?? 'is not valid';
  }
}

function fieldPath(error: FastifySchemaValidationError, whole: string): string {
  const parts = error.instancePath.split('/').slice(1);
  if (error.keyword === 'required') parts.push(String(error.params['missingProperty']));
  if (error.keyword === 'additionalProperties') parts.push(String(error.params['additionalProperty']));
  if (parts.length === 0) return whole;
  return parts.reduce(
    (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part),
    '',
  );
}

/** Every failing field of a failed validation, each named once. */
export function fieldErrors(
  validation: readonly FastifySchemaValidationError[],
  part = 'body',
): FieldError[] {
  const found = new Map<string, FieldError>();
  for (const error of validation) {
    // The keyword of bounded-schema.ts; another error names the fault.
    if (error.keyword === 'if') continue;
    const field = fieldPath(error, part);
    if (!found.has(field)) found.set(field, { field, message: describe(error) });
  }
  return [...found.values()];
}

/** Returns the faults of a request whose validation failed. */
export function validationFaults(
  request: FastifyRequest,
  { validation = [], validationContext }: Pick<FastifyError, 'validation' | 'validationContext'>,
  found: readonly FieldError[] = [],
): FieldError[] {
  const faults = new Map<string, FieldError>();
  const errors = fieldErrors(validation, validationContext);
  const isTheirs = validationContext === 'body' || validationContext === 'querystring';
  const more = isTheirs ? [...strictFaults(request), ...found] : [];
  for (const error of [...errors, ...more]) if (!faults.has(error.field)) faults.set(error.field, error);
  return [...faults.values()];
}

/** The faults of the body by its schema, where the handler is to judge them, together with those that the handler found. */
export function bodyFaults(request: FastifyRequest, found: readonly FieldError[] = []): FieldError[] {
  const validation = request.validationError?.validation ?? [];
  return validationFaults(request, { validation, validationContext: 'body' }, found);
}
