/** Targets of requests to an operation: its path, and its query. */
import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from './document.ts';
import type { Generators, Known } from './from-schema.ts';
import { plainText } from './json-text.ts';
import { wildText } from './wild.ts';

export interface PathPart {
  readonly text: string;
  readonly isIntact: boolean;
}

const encodeAll = (text: string) =>
  Buffer.from(text).reduce((all, byte) => `${all}%${byte.toString(16).padStart(2, '0')}`, '');

/** Whatever the text, one segment of a path. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/^\.+$/, encodeAll);
}

/** The words that a parameter of the path may be; undefined when it may be any text. */
function wordsFor({ parameters }: Operation, name: string): Arbitrary<string> | undefined {
  const schema = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.schema;
  const words: unknown = typeof schema === 'object' && 'enum' in schema ? schema['enum'] : undefined;
  return Array.isArray(words) ? fc.constantFrom(...words.map(String)) : undefined;
}

/** For each segment of the operation's path, what `literal` makes of its text, or `parameter` of the ids for it. */
function segmentsOf<T>(
  operation: Operation,
  known: Known,
  literal: (text: string) => T,
  parameter: (ids: Arbitrary<string>) => Arbitrary<T>,
): Arbitrary<T[]> {
  const segments = operation.path.split('/').map((segment, index, all) => {
    const name = /^\{(.*)\}$/.exec(segment)?.[1];
    if (name === undefined) return fc.constant(literal(segment));
    // `/workshops/{id}` speaks of a workshopId.
    const meaning = name === 'id' ? `${all[index - 1]?.replace(/s$/, '')}Id` : name;
    return parameter(known(meaning) ?? wordsFor(operation, name) ?? fc.uuid());
  });
  return fc.tuple(...segments);
}

const withoutMeaning = `. .. % %z %zz %00 %C0%80 %ff %u0041 %2e%2e %2f %5c %2500 a/b // ; ;a=b :id * \\ {id} ? # | ^ " <> $ref '`;
const brokenSegments = fc.constantFrom(
  ...['', ...withoutMeaning.split(' '), Buffer.from('漢👍').toString('latin1')],
  ...[1_000, 4_200, 17_000].map((count) => 'x'.repeat(count)),
);

function segmentOf(ids: Arbitrary<string>): Arbitrary<PathPart> {
  const intact = (text: string): PathPart => ({ text, isIntact: text !== '' });
  return fc.oneof(
    { weight: 24, arbitrary: ids.map(intact) },
    { weight: 1, arbitrary: ids.map((id) => intact(id.toUpperCase())) },
    { weight: 1, arbitrary: ids.map((id) => intact(encodeAll(id))) },
    { weight: 1, arbitrary: ids.map((id) => intact(`${id}%20`)) },
    { weight: 2, arbitrary: fc.uuid().map(intact) },
    { weight: 2, arbitrary: wildText.map((text) => intact(encodeSegment(text))) },
    { weight: 2, arbitrary: brokenSegments.map((text) => ({ text, isIntact: false })) },
  );
}

/** The path with ids that mean something. */
export function rightPathOf(operation: Operation, known: Known): Arbitrary<string> {
  const segments = segmentsOf(
    operation,
    known,
    (text) => text,
    (ids) => ids,
  );
  const required = operation.parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const query = fc
    .tuple(
      ...required.map(({ name }) =>
        (known(name) ?? fc.constant(requiredValue)).map((value) => `${name}=${encodeURIComponent(value)}`),
      ),
    )
    .map((parts) => (parts.length > 0 ? `?${parts.join('&')}` : ''));
  return fc
    .tuple(fc.constantFrom(...operation.prefixes), segments, query)
    .map(([prefix, parts, search]) => prefix + parts.join('/') + search);
}

/** Parameters that have to be in a query, and of which no value is known, are dates: both ends of a period among them. */
const requiredValue = '2027-03-29';

/** The path with ids of every kind, and with damage. */
export function pathOf(operation: Operation, known: Known): Arbitrary<PathPart> {
  const segments = segmentsOf<PathPart>(operation, known, (text) => ({ text, isIntact: true }), segmentOf);
  const ending = fc.oneof(
    { weight: 30, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom('/', '//', '/.', '/..', '%20', '.json', '/%2e%2e/x') },
  );
  return fc.tuple(fc.constantFrom(...operation.prefixes), segments, ending).map(([prefix, parts, end]) => ({
    text: prefix + parts.map(({ text }) => text).join('/') + end,
    isIntact: end === '' && parts.every(({ isIntact }) => isIntact),
  }));
}

const numbers =
  '-0 0 1 -1 +5 %31 201 1000 1001 1e2 1.0 0x10 Infinity -Infinity 1e999 NaN true null [] 99999999999999999999';
const oddQueries =
  '? ?&&=& ?% ?%zz=1 ?a=%00 ?__proto__=1 ?constructor[prototype]=1 ?limit ?limit[]=1 ?limit=1;cursor=2 ?#limit=1';
const brokenQueries = fc.constantFrom(
  ...oddQueries.split(' '),
  `?${Buffer.from('ключ=значение').toString('latin1')}`,
  `?x=${'y'.repeat(5_000)}`,
);

/** A query with the question mark, or nothing. */
export function queryOf(operation: Operation, { right }: Generators): Arbitrary<string> {
  const named = operation.parameters.filter((parameter) => parameter.in === 'query');
  const pairs = named.map((parameter) => {
    const values = fc.oneof(
      { weight: 4, arbitrary: right(parameter.schema, parameter.name).map(plainText) },
      { weight: 1, arbitrary: wildText },
      { weight: 1, arbitrary: fc.constantFrom('', ...numbers.split(' ')) },
    );
    const several = fc.array(values, { minLength: 1, maxLength: 2, size: 'max' });
    return fc
      .oneof(
        { weight: 4, arbitrary: fc.constant<string[]>([]) },
        { weight: 3, arbitrary: values.map((value) => [value]) },
        { weight: 1, arbitrary: several },
      )
      .map((all) => all.map((value) => `${parameter.name}=${encodeURIComponent(value.toWellFormed())}`));
  });
  const together = fc.tuple(...pairs).map((all) => (all.flat().length > 0 ? `?${all.flat().join('&')}` : ''));
  return fc.oneof(
    { weight: 12, arbitrary: together },
    { weight: named.length > 0 ? 3 : 1, arbitrary: brokenQueries },
  );
}
