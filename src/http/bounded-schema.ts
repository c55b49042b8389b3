/**
 * The schema that a validator with `allErrors` may be made of. Ajv looks at every item of a list, and notes every fault, also
 * when the list is too long already: 230 to 400 ms for 130,000 wrong items of one body, in which the process answers nobody.
 */

type Schema = Readonly<Record<string, unknown>>;

/** An object that refuses unknown fields names each of them; this many more than it knows are refused unnamed. */
const unknownAtMost = 100;

function isSchema(value: unknown): value is Schema {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function within(value: unknown): unknown {
  return isSchema(value) ? boundedSchema(value) : value;
}

/** `rest` is looked at only when `limit` holds. Both are of the same type, which strict mode wants to be told. */
function limited(type: unknown, limit: Schema, rest: Schema): Schema {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  return { type, ...limit, if: { type, ...limit }, then: { type, ...rest } };
}

/**
 * The same schema, for the same values: its lists are looked into only when they have at most `maxItems` items, its closed
 * objects only when they have not many more fields than they know.
 */
export function boundedSchema(schema: Schema): Schema {
  const inner: Record<string, unknown> = { ...schema };
  for (const key of ['items', 'additionalProperties', 'not', 'if', 'then', 'else'] as const) {
    if (key in inner) inner[key] = within(inner[key]);
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
