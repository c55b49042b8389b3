/**
 * Serializers of answers, one for each different schema. Fastify asks for one for each operation, prefix and status, which is
 * about two hundred for thirty schemas: most statuses answer with the same error. Building them all took 0.2 s of each start.
 */
import serializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type Serialize = (value: unknown) => string;

const buildCompiler = serializerSelector();

/** By the shared schemas, and by the schema; as many as the code has schemas. */
const built = new Map<string, Map<string, Serialize>>();

/** Keys that say something to a reader, and nothing to a serializer. */
const unread = new Set(['description', 'codes']);

export const buildSerializer: NonNullable<Compilers['buildSerializer']> = (externalSchemas, options) => {
  const compile = buildCompiler(externalSchemas, options);
  const shared = JSON.stringify(externalSchemas);
  const own = built.get(shared) ?? new Map<string, Serialize>();
  built.set(shared, own);
  return (route) => {
    const entries = Object.entries(route.schema ?? {}).filter(([name]) => !unread.has(name));
    const key = JSON.stringify(entries);
    const serialize = own.get(key) ?? compile(route);
    own.set(key, serialize);
    return serialize;
  };
};
