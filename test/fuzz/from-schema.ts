/** Values by JSON Schema: valid ones, and valid ones with one to three faults. */
import fc, { type Arbitrary } from 'fast-check';
import type { ApiDocument, Schema } from './document.ts';
import { countInside, type Json, Members, Raw, replaceInside } from './json-text.ts';
import { wildJson, wildMembers, wildText } from './wild.ts';

/** Values that mean something to the service under test, by the name of the field or parameter. */
export type Known = (name: string) => Arbitrary<string> | undefined;

export interface Generators {
  /** Valid by the schema. */
  right(schema: Schema, name: string): Arbitrary<Json>;
  /** Valid by the schema, except in one to three places. */
  almostRight(schema: Schema): Arbitrary<Json>;
}

export function generators(document: Pick<ApiDocument, 'resolve'>, known: Known): Generators {
  function right(reference: Schema, name: string): Arbitrary<Json> {
    const schema = document.resolve(reference);
    const allOf = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
    if (allOf) return fc.oneof(...allOf.map((each) => right(each, name)));
    if ('const' in schema) return fc.constant(schema['const'] as Json);
    if (schema['enum']) return fc.constantFrom(...(schema['enum'] as Json[]));
    const types = [schema['type']].flat().map(String);
    return fc.oneof(
      ...types.map((type) => ({
        weight: type === 'null' ? 1 : 6,
        arbitrary: rightOfType(type, schema, name),
      })),
    );
  }

  function rightOfType(type: string, schema: Schema, name: string): Arbitrary<Json> {
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return number(schema, 0);
      case 'number':
        return number(schema, 2);
      case 'array':
        return array(schema, name);
      case 'object':
        return object(schema);
      default:
        return text(schema, name);
    }
  }

  function array(schema: Schema, name: string): Arbitrary<Json> {
    const item = right(schema['items'] as Schema, name);
    const most = Number(schema['maxItems'] ?? 100);
    const few = fc.array(item, { maxLength: Math.min(3, most) });
    return fc.oneof(
      { weight: 12, arbitrary: few },
      { weight: 1, arbitrary: item.map((each) => Array.from({ length: most }, () => each)) },
    );
  }

  function object(schema: Schema): Arbitrary<Json> {
    const required = new Set(schema['required'] as string[] | undefined);
    const members = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).map(
      ([key, value]) => {
        const entry = right(value, key).map((item) => [[key, item] as const]);
        return required.has(key) ? entry : fc.oneof(entry, fc.constant([]));
      },
    );
    return fc.tuple(...members).map((entries) => new Members(entries.flat()));
  }

  function text(schema: Schema, name: string): Arbitrary<string> {
    const known_ = known(name);
    const examples = (schema['examples'] ?? []) as string[];
    const choices = [
      ...(known_ ? [{ weight: 8, arbitrary: known_ }] : []),
      ...(examples.length > 0 ? [{ weight: 2, arbitrary: fc.constantFrom(...examples) }] : []),
    ];
    const format = formats[String(schema['format'])];
    if (format) return fc.oneof(...choices, { weight: 4, arbitrary: format });
    const minLength = Number(schema['minLength'] ?? 0);
    const maxLength = Number(schema['maxLength'] ?? 255);
    const longest = fc.constantFrom('x', 'é', '漢', '👍').map((unit) => unit.repeat(maxLength));
    const pattern = new RegExp(String(schema['pattern'] ?? ''), 'u');
    const letters = fc
      .string({ unit: letter, minLength, maxLength: Math.min(maxLength, 40) })
      .filter((text) => pattern.test(text));
    const odd = wildText.filter((text) => {
      const { length } = [...text];
      return length >= minLength && length <= maxLength && pattern.test(text);
    });
    return fc.oneof(
      ...choices,
      { weight: 3, arbitrary: letters },
      { weight: 1, arbitrary: longest },
      { weight: 2, arbitrary: odd },
    );
  }

  const limits = fc.constantFrom<Json>(
    ...[32, 64, 255, 256, 2_000, 2_001, 10_000].flatMap((n) => ['x'.repeat(n), n]),
  );
  const wrong = fc.oneof({ weight: 8, arbitrary: wildJson }, { weight: 1, arbitrary: limits });

  return {
    right,
    almostRight: (schema) =>
      fc
        .tuple(
          right(schema, ''),
          fc.array(fc.tuple(fc.nat(), wrong), { minLength: 1, maxLength: 3 }),
          fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: wildMembers }),
          fc.boolean(),
        )
        .map(([value, wrongs, more, doubled]) => {
          const spoilt = wrongs.reduce((at, [place, by]) => {
            const count = countInside(at);
            return count === 0 ? at : replaceInside(at, place % count, by);
          }, value);
          if (!(spoilt instanceof Members)) return spoilt;
          return new Members([...spoilt.entries, ...more, ...(doubled ? spoilt.entries.slice(0, 1) : [])]);
        }),
  };
}

/** No NUL and no lone surrogates; with marks, emoji, right-to-left text and white space. */
const letter = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...'abcXYZ019 -/.,') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('é', 'e\u0301', 'ß', 'ﬁ', '漢', 'ع', '\u202e', '👍🏽', '\n', '{{', '€', '^'),
  },
);

const instant = fc
  .tuple(
    fc.date({
      min: new Date('1901-01-01T00:00:00Z'),
      max: new Date('2198-12-31T00:00:00Z'),
      noInvalidDate: true,
    }),
    fc.constantFrom('Z', '+00:00', '+10:30', '-11:00'),
  )
  .map(([date, zone]) => date.toISOString().replace('Z', zone));

const formats: Readonly<Record<string, Arbitrary<string> | undefined>> = {
  instant,
  'date-time': instant,
  date: instant.map((text) => text.slice(0, 10)),
  uuid: fc.uuid(),
  email: fc.constantFrom(
    'sam@customer.example',
    'o.brien+x@mail.example',
    'a@b.example',
    'X_Y@Sub.Domain.example',
  ),
};

function number(schema: Schema, decimals: number): Arbitrary<Json> {
  const min = Number(schema['minimum'] ?? -1_000_000);
  const max = Number(schema['maximum'] ?? 1_000_000);
  const whole = fc.integer({ min: Math.ceil(min), max: Math.floor(Math.min(max, 2 ** 31 - 1)) });
  if (decimals === 0)
    return fc.oneof(
      whole,
      fc.constantFrom(min, max),
      whole.map((value) => new Raw(`${value}.0`)),
    );
  const amounts = fc.integer({ min: 0, max: 99_999 }).map((cents) => cents / 10 ** decimals);
  return fc.oneof(amounts, fc.constantFrom<Json>(min, max, 19.99, 1.15, new Raw('1.10'), new Raw('12e1')));
}
