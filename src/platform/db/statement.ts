/** A statement with named, typed parameters: the text is built once, the values are put in order at each call. */
import { type Parameters, sqlType, type Values } from './parameters.ts';

export interface Statement<P extends Parameters> {
  readonly text: string;
  /** The values in the order of the text, which are sent without the rest of the object; JSON goes as its text. */
  values(input: Values<P>): unknown[];
}

/**
 * `build` gets a function that turns a name into `$n::type`. The text must not depend on anything else: it is prepared once per
 * connection.
 */
export function statement<const P extends Parameters>(
  parameters: P,
  build: ($: (name: keyof P & string) => string) => string,
): Statement<P> {
  const used: (keyof P & string)[] = [];
  const text = build((name) => {
    if (!used.includes(name)) used.push(name);
    return `$${used.indexOf(name) + 1}::${sqlType(`${parameters[name]}`)}`;
  });
  const json = new Set(used.filter((name) => sqlType(`${parameters[name]}`) === 'jsonb'));
  const sent = (name: keyof P & string, value: unknown) =>
    json.has(name) && value !== null ? JSON.stringify(value) : value;
  return { text, values: (input) => used.map((name) => sent(name, input[name])) };
}
