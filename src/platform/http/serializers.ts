/**
 * Serializers of responses, one for each form of response: the two routes of an operation have the same one, and so have some
 * operations.
 */
import serializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';
import { builtOnce, compiledOnce } from './compiled-once.ts';

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type BuildSerializer = NonNullable<Compilers['buildSerializer']>;
type Route = Parameters<ReturnType<BuildSerializer>>[0];
type Serialize = ReturnType<ReturnType<BuildSerializer>>;

const buildCompiler = serializerSelector();
const once = compiledOnce<Route, Serialize>();

export const buildSerializer: BuildSerializer = builtOnce((schemas, options) =>
  once(schemas, buildCompiler(schemas, options)),
);
