/**
 * Bounds the work of a validator with `allErrors`. Ajv checks every item of a list and records every fault, even when the list
 * is longer than `maxItems`: 130,000 wrong items in one body block the process for 230 to 400 ms.
 */

type Schema = Readonly<Record<string, unknown>>;

/** An object that refuses unknown fields names each of them, unless there are this many more fields than it knows. */
const unknownAtMost = 100;

function isSchema(value: unknown): value is Schema {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function within(value: unknown): unknown {
  return isSchema(value) ? boundedSchema(value) : value;
}

/** Checks `rest` only when `limit` holds. Ajv's strict mode wants the type in both. */
function limited(type: unknown, limit: Schema, rest: Schema): Schema {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  return { type, ...limit, if: { type, ...limit }, then: { type, ...rest } };
}

/**
 * A schema that accepts the same values: items are checked only in lists of at most `maxItems`, and unknown fields are named only in
 * objects that have not many more fields than they know.
 */
export function boundedSchema(schema: Schema): Schema {
  const inner: Record<string, unknown> = { ...schema };
  for (const key of ['items', 'additionalProperties', 'not', 'if', 'then', 'else'] as const) {
    if (Object.hasOwn(inner, key)) inner[key] = within(inner[key]);
  }
  for (const key of ['anyOf', 'allOf', 'oneOf'] as const) {
    const members = inner[key];
    if (Array.isArray(members)) inner[key] = members.map(within);
  }
  const { properties } = inner;
  if (isSchema(properties)) {
    inner['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [name, within(value)]),
    );
  }

  const { type, maxItems, ...rest } = inner;
  if ('items' in inner && maxItems !== undefined) return limited(type, { maxItems }, rest);
  if (inner['additionalProperties'] === false) {
    const maxProperties = Object.keys(properties ?? {}).length + unknownAtMost;
    return limited(type, { maxProperties }, rest);
  }
  return inner;
}
