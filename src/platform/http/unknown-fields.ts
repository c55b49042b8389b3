/** The fields of a body, and the parameters of a query, that their operation does not know. */
import type { FastifyRequest } from 'fastify';

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** A field of a body that its schema does not know. */
export interface UnknownField {
  /** The path as in error bodies: `services[0].colour`. */
  readonly path: string;
  /** The known fields of the same object. */
  readonly known: Json;
  /** True with `additionalProperties: false`: validation names it. */
  readonly isRefused: boolean;
}

export function* unknownFields(schema: Json, value: unknown, path: string): Generator<UnknownField> {
  const { properties, items, maxItems, additionalProperties } = schema;
  if (Array.isArray(value) && isObject(items)) {
    // A list with more items is refused.
    for (const [index, item] of value.slice(0, Number(maxItems)).entries()) {
      yield* unknownFields(items, item, `${path}[${index}]`);
    }
  }
  if (!isObject(value) || !isObject(properties)) return;
  for (const name of Object.keys(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const at = path === '' ? name : `${path}.${name}`;
    if (isObject(known)) yield* unknownFields(known, value[name], at);
    else yield { path: at, known: properties, isRefused: additionalProperties === false };
  }
}

/** Yields the unknown fields of the body, then those of the query, which begin with `?`. */
export function* unknownIn({ routeOptions, body, query }: FastifyRequest): Generator<UnknownField> {
  const { schema, config } = routeOptions;
  if (isObject(schema?.body)) yield* unknownFields(schema.body, body, '');
  if (config.operationId === undefined || !isObject(query)) return;
  const asked = schema?.querystring;
  const known = isObject(asked) && isObject(asked['properties']) ? asked['properties'] : {};
  for (const name of Object.keys(query))
    if (!Object.hasOwn(known, name)) yield { path: `?${name}`, known, isRefused: false };
}

/** Errors name no more. */
const namedAtMost = 100;

export const firstUnknown = (request: FastifyRequest): UnknownField[] =>
  unknownIn(request).take(namedAtMost).toArray();

/** `services[0].colour` → `colour`, `?form` → `form` */
export const lastNameOf = (path: string): string =>
  path.startsWith('?') ? path.slice(1) : path.slice(path.lastIndexOf('.') + 1);
