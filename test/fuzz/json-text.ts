/** JSON text in the making: what `JSON.stringify` never writes can be written too. */

/** Text that goes into the body as it is. */
export class Raw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An object as a list of its members, so that a key can come twice, or be `__proto__`. */
export class Members {
  readonly entries: readonly (readonly [key: string, value: Json])[];

  constructor(entries: Members['entries']) {
    this.entries = entries;
  }
}

export type Json = null | boolean | number | string | readonly Json[] | Members | Raw;

export function writeJson(value: Json): string {
  if (value instanceof Raw) return value.text;
  if (value instanceof Members) {
    return `{${value.entries.map(([key, item]) => `${JSON.stringify(key)}:${writeJson(item)}`).join()}}`;
  }
  if (typeof value === 'object' && value !== null) return `[${value.map(writeJson).join()}]`;
  return JSON.stringify(value);
}

/** A string as it is, anything else as JSON. */
export function plainText(value: Json): string {
  return typeof value === 'string' ? value : writeJson(value);
}

/** How many values there are below the root. */
export function countInside(value: Json): number {
  return childrenOf(value).reduce<number>((sum, child) => sum + 1 + countInside(child), 0);
}

/** The same with the value at `place` (0 for the first below the root, counted in depth) replaced. */
export function replaceInside(value: Json, place: number, by: Json): Json {
  let left = place;
  const visit = (child: Json): Json => {
    if (left < 0) return child;
    if (left-- === 0) return by;
    return within(child);
  };
  const within = (at: Json): Json => {
    if (at instanceof Members) return new Members(at.entries.map(([key, item]) => [key, visit(item)]));
    return Array.isArray(at) ? at.map(visit) : at;
  };
  return within(value);
}

function childrenOf(value: Json): readonly Json[] {
  if (value instanceof Members) return value.entries.map(([, item]) => item);
  return Array.isArray(value) ? value : [];
}
