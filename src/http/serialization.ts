/**
 * Writes answers by their schemas. One serialiser for each form of an answer, shared by all routes that answer so: each
 * operation is there at two paths and has a dozen refusals of one form, and a serialiser brings a validator of its own.
 */
import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Factories = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type BuildSerializer = NonNullable<Factories['buildSerializer']>;

const select = SerializerSelector();

/** What a schema says to people changes nothing of what is written. */
const forPeople = new Set(['description', 'examples', 'title']);

function formOf(schema: unknown): string {
  return JSON.stringify(schema, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).filter(([key, its]) => !(forPeople.has(key) && isText(its))),
    );
  });
}

/** A property of an answer may have such a name; its value is a schema then. */
function isText(value: unknown): boolean {
  return typeof value === 'string' || Array.isArray(value);
}

export const buildSerializer: BuildSerializer = (externalSchemas, options) => {
  const compile = select(externalSchemas, options);
  const made = new Map<string, ReturnType<typeof compile>>();
  return (route) => {
    const form = formOf(route.schema);
    const serialize = made.get(form) ?? compile(route);
    made.set(form, serialize);
    return serialize;
  };
};
