/** Whether every value of one JSON Schema is one of another, and what stands against it. For the keywords of the API document. */
import type { Schema } from '../api-document.ts';

/** A document's structures by the reference to them. */
export type Structures = (reference: string) => Schema;

interface Side {
  readonly schema: Schema;
  readonly structures: Structures;
}

/** What partners send has to be accepted on; what they read has to be as it was promised. */
export type Direction = 'request' | 'response';

/** Keywords that allow less the larger they are, and those that allow less the smaller they are. */
const lowerBounds = ['minimum', 'minLength', 'minItems'];
const upperBounds = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];

/**
 * Each break as `place: what`. Of a request every value before has to be valid after, of a response every value after has to be one
 * that was promised before. A response may gain fields and words of an enum: partners are told to expect them.
 */
export function schemaBreaks(direction: Direction, before: Side, after: Side, at: string): string[] {
  const seen = new Set<string>();
  const [narrow, wide] = direction === 'request' ? [before, after] : [after, before];
  return fits(narrow, wide, at);

  function fits(one: Side, other: Side, place: string): string[] {
    const pair = `${one.schema.$ref} ${other.schema.$ref}`;
    if (one.schema.$ref !== undefined && other.schema.$ref !== undefined) {
      if (seen.has(pair)) return [];
      seen.add(pair);
    }
    const wanted = variantsOf(other);
    return variantsOf(one).flatMap((variant) => {
      const found = wanted.filter(({ schema }) => isOfType(variant.schema, schema));
      if (found.length === 0) return [`${place}: ${typeSaid(direction, variant.schema)}`];
      const breaks = found.map((candidate) => variantBreaks(variant, candidate, place));
      return breaks.reduce((least, next) => (next.length < least.length ? next : least));
    });
  }

  function variantBreaks(one: Side, other: Side, place: string): string[] {
    const breaks = [...wordBreaks(one.schema, other.schema), ...limitBreaks(one.schema, other.schema)];
    const item = one.schema.items;
    const wantedItem = other.schema.items;
    return [
      ...breaks.map((text) => `${place}: ${text}`),
      ...(item && wantedItem
        ? fits({ ...one, schema: item }, { ...other, schema: wantedItem }, `${place}[]`)
        : []),
      ...fieldBreaks(one, other, place),
    ];
  }

  function fieldBreaks(one: Side, other: Side, place: string): string[] {
    const [had, has] = direction === 'request' ? [one, other] : [other, one];
    const before = had.schema.properties ?? {};
    const after = has.schema.properties ?? {};
    const gone = Object.keys(before).filter((name) => !(name in after));
    const needed = (other.schema.required ?? []).filter((name) => !one.schema.required?.includes(name));
    const said = direction === 'request' ? 'is required now' : 'may be missing now';
    const both = Object.keys(before).filter((name) => name in after);
    return [
      ...gone.map((name) => `${place}.${name}: is removed`),
      ...needed.filter((name) => !gone.includes(name)).map((name) => `${place}.${name}: ${said}`),
      ...both.flatMap((name) =>
        fits(
          { ...one, schema: one.schema.properties?.[name] ?? {} },
          { ...other, schema: other.schema.properties?.[name] ?? {} },
          `${place}.${name}`,
        ),
      ),
    ];
  }

  function wordBreaks(one: Schema, other: Schema): string[] {
    if (other.enum === undefined) return [];
    if (one.enum === undefined) {
      return [direction === 'request' ? 'takes only certain words now' : 'has no enum any more'];
    }
    if (direction === 'response') return [];
    return one.enum.filter((word) => !other.enum?.includes(word)).map((word) => `takes no ${word} any more`);
  }

  /** Limits bind who sends. What a response may be is told by its type, words and format. */
  function limitBreaks(one: Schema, other: Schema): string[] {
    const changed = (names: readonly string[]) =>
      names
        .filter((name) => other[name] !== undefined && other[name] !== one[name])
        .map((name) => `${name} is ${direction === 'request' ? other[name] : one[name]} now`);
    if (direction === 'response') return changed(['format']);
    const isTighter = (name: string, sign: 1 | -1) =>
      Number(other[name] ?? -sign * Infinity) * sign > Number(one[name] ?? -sign * Infinity) * sign;
    const low = lowerBounds.filter((name) => isTighter(name, 1));
    const high = upperBounds.filter((name) => isTighter(name, -1));
    const isClosed = other.additionalProperties === false && one.additionalProperties !== false;
    return [
      ...[...low, ...high].map((name) => `${name} is ${other[name]} now`),
      ...changed(['format', 'pattern', 'uniqueItems']),
      ...(isClosed ? ['takes no further fields any more'] : []),
    ];
  }
}

/** A schema for each of its types, without references. */
function variantsOf({ schema, structures }: Side): Side[] {
  if (schema.$ref !== undefined) return variantsOf({ schema: structures(schema.$ref), structures });
  if (schema.anyOf) return schema.anyOf.flatMap((one) => variantsOf({ schema: one, structures }));
  const types = schema.type === undefined ? [undefined] : [schema.type].flat();
  return types.map((type) => {
    // Words and limits bind what is not null.
    if (type === 'null') return { structures, schema: { type } };
    const words = schema.enum?.filter((word) => word !== null);
    return { structures, schema: { ...schema, ...(type && { type }), ...(words && { enum: words }) } };
  });
}

function isOfType(one: Schema, other: Schema): boolean {
  return (
    other.type === undefined || one.type === other.type || (one.type === 'integer' && other.type === 'number')
  );
}

function typeSaid(direction: Direction, { type }: Schema): string {
  return direction === 'request' ? `takes no ${type} any more` : `may be ${type} now`;
}
