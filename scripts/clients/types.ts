/** JSON Schema as a TypeScript type. It knows the keywords that the API document uses, and throws on what it can't express. */
import type { Schema } from '../api-document.ts';

/** A structure's name, where the document's would hide a name of the language. */
export const nameOf = (name: string) => (name === 'Error' ? 'ErrorResponse' : name);

const words: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));

/** A comment of one line, or of several where the text is longer. */
export function comment(text: string | undefined, indent: string): string {
  if (!text) return '';
  const lines = text
    .replaceAll('*/', '*\\/')
    .split('\n')
    .flatMap((line) => line.match(/.{1,100}(?:\s|$)|^$/g) ?? [line])
    .map((line) => line.trimEnd());
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

export function typeOf(schema: Schema, indent = ''): string {
  const { $ref, anyOf, enum: values, type } = schema;
  if ($ref !== undefined) return nameOf($ref.split('/').at(-1) ?? '');
  if (anyOf !== undefined) return anyOf.map((one) => typeOf(one, indent)).join(' | ');
  if (values !== undefined) return values.map(literal).join(' | ');
  const types = [type ?? []].flat().map((one) => simpleType(one, schema, indent));
  if (types.length === 0) throw new Error(`there is no type for ${JSON.stringify(schema)}`);
  return types.join(' | ');
}

function simpleType(type: string, schema: Schema, indent: string): string {
  if (type === 'object') return objectType(schema, indent);
  if (type !== 'array') return words[type] ?? fail(type);
  const item = typeOf(schema.items ?? fail('an array without items'), indent);
  return item.includes('|') ? `(${item})[]` : `${item}[]`;
}

function fail(what: string): never {
  throw new Error(`scripts/clients/types.ts can't express ${what}`);
}

export function objectType(schema: Schema, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).map(([name, field]) =>
    member(name, field, required.includes(name), `${indent}  `),
  );
  const isOpen = additionalProperties === true;
  if (fields.length === 0) return isOpen ? 'Record<string, unknown>' : 'Record<string, never>';
  const rest = isOpen ? `${indent}  [name: string]: unknown;\n` : '';
  return `{\n${fields.join('')}${rest}${indent}}`;
}

function member(name: string, schema: Schema, isRequired: boolean, indent: string): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
  const type = typeOf(schema, indent);
  const line = `${indent}${key}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};\n`;
  return comment(schema.description, indent) + line;
}
