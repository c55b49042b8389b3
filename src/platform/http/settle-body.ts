/** Normalises the values of a body by its schema before it is validated (specification: Requests and responses 6; Money). */

import { cleanEmail } from '#base/values/email.ts';
import { settleMoney } from '#base/values/money.ts';
import { cleanText } from '#base/values/text.ts';
import { linesPattern } from './fields.ts';

/** The keywords of a request schema that this module reads. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** An empty text means null in a field that may be null, unless the schema states a `minLength`: 0 keeps it, 1 refuses it. */
function isAbsent(schema: Schema, value: string): boolean {
  return value === '' && schema.minLength === undefined && [schema.type].flat().includes('null');
}

/**
 * Returns the value, with arrays and objects changed in place: texts of several lines lose control characters, e-mail addresses lose
 * what nobody sees, empty texts of optional fields become null, and amounts are rounded
 * to two decimals when they differ from that by the error of a binary float. Unknown fields stay as they are.
 */
export function settleBody(schema: Schema | undefined, value: unknown): unknown {
  if (schema === undefined) return value;
  if (typeof value === 'string') {
    const isEmail = schema.format === 'email';
    const text = isEmail ? cleanEmail(value) : schema.pattern === linesPattern ? cleanText(value) : value;
    return isAbsent(schema, text) ? null : text;
  }
  if (typeof value === 'number') return schema.format === 'money' ? settleMoney(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) value[index] = settleBody(schema.items, item);
    return value;
  }
  const record = value as Record<string, unknown>;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (Object.hasOwn(record, name)) record[name] = settleBody(field, record[name]);
  }
  return record;
}
