/** `Pitlane-Ignored-Fields`: names the fields of a body that its operation does not know, so that a misspelt name shows (decisions, section 1). */
import type { FastifyInstance } from 'fastify';

type Json = Readonly<Record<string, unknown>>;

const namesAtMost = 20;
const lengthAtMost = 1_024;

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Paths of fields that the schema does not know, as they stand in error bodies: `services[0].colour`. */
function* unknownFields(schema: Json, value: unknown, path: string): Generator<string> {
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
    // With additionalProperties: false the error names it.
    else if (additionalProperties !== false) yield at;
  }
}

/** The header's value: percent-encoded, comma-separated, the first 20 and 1 KB of them; null when there is none. */
export function ignoredFields(schema: Json, body: unknown): string | null {
  const names: string[] = [];
  let length = 0;
  for (const path of unknownFields(schema, body, '')) {
    // The caller chooses the names: they may have any characters and any length.
    if (path.length > lengthAtMost) continue;
    const name = encodeURIComponent(path.toWellFormed());
    if (length + name.length + 1 > lengthAtMost) continue;
    names.push(name);
    length += name.length + 1;
    if (names.length === namesAtMost) break;
  }
  return names.length === 0 ? null : names.join(',');
}

/** Call it before any route is registered: every operation with a body reports the fields that it ignores. */
export function reportIgnoredFields(app: FastifyInstance): void {
  app.addHook('preValidation', (request, reply, done) => {
    const schema = request.routeOptions.schema?.body;
    const ignored = isObject(schema) ? ignoredFields(schema, request.body) : null;
    if (ignored !== null) reply.header('pitlane-ignored-fields', ignored);
    done();
  });
}
