/**
 * Compiles a validator or serializer once for each form of schema. Fastify asks for those of an operation under each prefix, and
 * in each app of a process.
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

type Compile<Route, Compiled> = (route: Route) => Compiled;

/**
 * Wraps a compiler: for the same shared schemas and a schema of the same form it returns what it compiled before. What it keeps is
 * bounded by the schemas that the code declares.
 */
export function compiledOnce<Route extends { readonly schema?: unknown }, Compiled>() {
  const built = new Map<string, Map<string, Compiled>>();
  return (sharedSchemas: unknown, compile: Compile<Route, Compiled>): Compile<Route, Compiled> => {
    const shared = JSON.stringify(sharedSchemas);
    const own = built.get(shared) ?? new Map<string, Compiled>();
    built.set(shared, own);
    return (route) => {
      const form = formOf(route.schema ?? {});
      const compiled = own.get(form) ?? compile(route);
      own.set(form, compiled);
      return compiled;
    };
  };
}
