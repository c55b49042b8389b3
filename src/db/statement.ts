/** A statement with named, typed parameters: the text is built once, the values are put in order at each call. */

export interface Statement<Name extends string> {
  readonly text: string;
  values(input: Readonly<Record<Name, unknown>>): unknown[];
}

/**
 * `parameters` maps each name to its PostgreSQL type; `build` gets a function that turns a name into `$n::type`. Only
 * those that the text uses are sent. The text must not depend on anything else: it is prepared once per connection.
 */
export function statement<Name extends string>(
  parameters: Readonly<Record<Name, string>>,
  build: ($: (name: Name) => string) => string,
): Statement<Name> {
  const used: Name[] = [];
  const text = build((name) => {
    if (!used.includes(name)) used.push(name);
    return `$${used.indexOf(name) + 1}::${parameters[name]}`;
  });
  return { text, values: (input) => used.map((name) => input[name]) };
}
