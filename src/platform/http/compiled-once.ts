/**
 * Compiles a validator or serializer once for each form of schema. Fastify asks for those of an operation under each prefix, and
 * in each app of a process; and once an app has shared schemas, for the compiler itself at each route.
 */

/** Keywords that make no difference to what is compiled. */
const ignored = new Set(['description', 'examples', 'title']);

function formOf(schema: unknown): string {
  return JSON.stringify(schema, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).filter(([key, its]) => !(ignored.has(key) && isText(its))),
    );
  });
}

/** False for a property of a body that has such a name: its value is a schema. */
function isText(value: unknown): boolean {
  return typeof value === 'string' || Array.isArray(value);
}

type Schemas = Readonly<Record<string, unknown>>;

/**
 * Wraps the builder of a compiler: while the shared schemas are the same objects, as within one app, the last compiler is used
 * again. Its options are those of the first call: an app has one set.
 */
export function builtOnce<Options, Compiler>(
  build: (schemas: Schemas, options: Options) => Compiler,
): (schemas: unknown, options: Options) => Compiler {
  let last: { readonly schemas: Schemas; readonly compiler: Compiler } | undefined;
  return (given, options) => {
    const schemas = given as Schemas;
    if (last === undefined || !hasSameValues(last.schemas, schemas))
      last = { schemas, compiler: build(schemas, options) };
    return last.compiler;
  };
}

function hasSameValues(one: Schemas, other: Schemas): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => Object.is(one[name], other[name]))
  );
}

/** A validator or serializer. */
export interface Compiled {
  (value: never): unknown;
  /** The findings of a validator. */
  readonly errors?: unknown;
}

/** A schema that is compiled at its first call. */
const waiting = new Set<() => unknown>();

/** Compiles at the first call: a process starts sooner, and most serve some of the operations only. */
function compiledLater<Fn extends Compiled>(compile: () => Fn): Fn {
  let compiled: Fn | undefined;
  const ready = () => {
    waiting.delete(ready);
    compiled ??= compile();
    return compiled;
  };
  waiting.add(ready);
  const call = (value: never) => (compiled ?? ready())(value);
  return Object.defineProperty(call, 'errors', { get: () => compiled?.errors }) as unknown as Fn;
}

/**
 * Compiles all schemas that were not called yet, for tests: throws for a schema that can't be compiled. Returns how many there
 * were.
 */
export function compileAll(): number {
  const all = [...waiting];
  for (const ready of all) ready();
  return all.length;
}

type Compile<Route, Fn> = (route: Route) => Fn;

/**
 * Wraps a compiler: for the same shared schemas and a schema of the same form it returns what it compiled before. What it keeps is
 * bounded by the schemas that the code declares.
 */
export function compiledOnce<Route extends { readonly schema?: unknown }, Fn extends Compiled>() {
  const built = new Map<string, Map<string, Fn>>();
  return (sharedSchemas: unknown, compile: Compile<Route, Fn>): Compile<Route, Fn> => {
    const shared = JSON.stringify(sharedSchemas);
    const own = built.get(shared) ?? new Map<string, Fn>();
    built.set(shared, own);
    return (route) => {
      const form = formOf(route.schema ?? {});
      const compiled = own.get(form) ?? compiledLater(() => compile(route));
      own.set(form, compiled);
      return compiled;
    };
  };
}
