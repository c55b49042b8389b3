/**
 * Serializers of answers, one for each form of answer. Fastify asks for one for each operation, prefix and status, which is
 * about two hundred for thirty forms: most statuses answer with the same error. Building them all took 0.2 s of each start.
 */
import serializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type Serialize = (value: unknown) => string;

const buildCompiler = serializerSelector();

/** By the shared schemas, and by the form; as many as the code has forms. */
const built = new Map<string, Map<string, Serialize>>();

/** Keys that say something to a reader, and nothing to a serializer. */
const unread = new Set(['description', 'examples', 'title', 'codes']);

function formOf(schema: unknown): string {
  return JSON.stringify(schema, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).filter(([key, its]) => !(unread.has(key) && isText(its))),
    );
  });
}

/** A property of an answer may have such a name; its value is a schema then. */
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
