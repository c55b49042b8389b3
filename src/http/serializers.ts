/**
 * Serializers of answers, one for each form of answer. Fastify asks for one for each operation and prefix; building one takes
 * about three milliseconds, and the two routes of an operation, and operations that answer with the same structure, share it.
 */
import serializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type Serialize = (value: unknown) => string;

const buildCompiler = serializerSelector();

/** By the shared schemas, then by the form. Bounded: there are as many as the code declares. */
const built = new Map<string, Map<string, Serialize>>();

/** Keywords that a serializer ignores. */
const ignored = new Set(['description', 'examples', 'title']);

function formOf(schema: unknown): string {
  return JSON.stringify(schema, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).filter(([key, its]) => !(ignored.has(key) && isText(its))),
    );
  });
}

/** False for a property of an answer that has such a name: its value is a schema. */
function isText(value: unknown): boolean {
  return typeof value === 'string' || Array.isArray(value);
}

export const buildSerializer: NonNullable<Compilers['buildSerializer']> = (externalSchemas, options) => {
  const compile = buildCompiler(externalSchemas, options);
  const shared = JSON.stringify(externalSchemas);
  const own = built.get(shared) ?? new Map<string, Serialize>();
  built.set(shared, own);
  return (route) => {
    const form = formOf(route.schema ?? {});
    const serialize = own.get(form) ?? compile(route);
    own.set(form, serialize);
    return serialize;
  };
};
