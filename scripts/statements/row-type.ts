/** The row that a caller reads, as the compiler knows its type. */
import type { Node, TypeNode } from 'typescript/unstable/ast';
import { type Checker, type Type, TypeFlags } from 'typescript/unstable/sync';

/** What a value may be in the row that a caller reads. */
export type FieldKind = 'string' | 'number' | 'boolean' | 'date' | 'bytes' | 'array' | 'object' | 'any';

export interface Field {
  readonly name: string;
  readonly isOptional: boolean;
  /** Without null. */
  readonly kinds: readonly FieldKind[];
  /** As the compiler writes it, for people. */
  readonly type: string;
}

/** Null fields: it reads none, or a type parameter says what it reads. */
export function rowOf(node: Node, checker: Checker): { fields: readonly Field[] | null; isGeneric: boolean } {
  const type = checker.getTypeFromTypeNode(node as TypeNode);
  if (type === undefined) return { fields: null, isGeneric: true };
  if (/\bnever>$/.test(checker.typeToString(type))) return { fields: null, isGeneric: false };
  if (holdsParameter(type)) return { fields: null, isGeneric: true };
  const symbols = checker.getPropertiesOfType(type);
  const types = checker.getTypeOfSymbol(symbols);
  const fields = symbols.map((symbol, at) => {
    const its = types[at];
    const kinds = its === undefined ? (['any'] as const) : kindsOf(its, checker);
    return {
      name: symbol.name,
      isOptional:
        its !== undefined && membersOf(its).some(({ flags }) => (flags & TypeFlags.Undefined) !== 0),
      kinds: [...new Set(kinds)],
      type: its === undefined ? 'unknown' : checker.typeToString(its),
    };
  });
  return { fields, isGeneric: false };
}

const holdsParameter = (type: Type): boolean =>
  membersOf(type).some(
    ({ flags }) =>
      (flags &
        (TypeFlags.TypeParameter | TypeFlags.Conditional | TypeFlags.Index | TypeFlags.IndexedAccess)) !==
      0,
  );

/** Of a union or an intersection. */
function membersOf(type: Type): readonly Type[] {
  if ((type.flags & (TypeFlags.Union | TypeFlags.Intersection)) === 0) return [type];
  return (type as unknown as { getTypes(): readonly Type[] }).getTypes().flatMap(membersOf);
}

function kindsOf(type: Type, checker: Checker): FieldKind[] {
  return (type.flags & TypeFlags.Union ? membersOf(type) : [type]).flatMap((member): FieldKind[] => {
    const { flags } = member;
    if (flags & (TypeFlags.Null | TypeFlags.Undefined)) return [];
    if (flags & (TypeFlags.StringLike | TypeFlags.TemplateLiteral)) return ['string'];
    if (flags & TypeFlags.NumberLike) return ['number'];
    if (flags & TypeFlags.BooleanLike) return ['boolean'];
    if (
      flags &
      (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.TypeParameter | TypeFlags.NonPrimitive | TypeFlags.Never)
    )
      return ['any'];
    if (flags & TypeFlags.Intersection)
      return membersOf(member).some((one) => one.flags & TypeFlags.StringLike) ? ['string'] : ['object'];
    const name = checker.typeToString(member);
    if (name === 'Date') return ['date'];
    if (/^(?:Buffer|Uint8Array)\b/.test(name)) return ['bytes'];
    return checker.isArrayType(member) || checker.isTupleType(member) ? ['array'] : ['object'];
  });
}
