/**
 * What is compiled from a schema, one for each form of schema. Fastify asks for a serializer for each operation, prefix and
 * status, which is about two hundred for thirty forms, and for the same validators under each prefix and in each app of a
 * process. Compiling them all took 0.3 s of each start.
 */

/** Keys that say something to a reader, and nothing to what is compiled. */
const unread = new Set(['description', 'examples', 'title', 'codes']);

function formOf(schema: unknown): string {
  return JSON.stringify(schema, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).filter(([key, its]) => !(unread.has(key) && isText(its))),
    );
  });
}

/** A property of a body may have such a name; its value is a schema then. */
function isText(value: unknown): boolean {
  return typeof value === 'string' || Array.isArray(value);
}

type Compile<Route, Compiled> = (route: Route) => Compiled;

/**
 * A compiler that remembers: for the same shared schemas and a schema of the same form it returns what it has compiled before.
 * It keeps as many as the code has forms.
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
