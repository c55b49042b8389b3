/** The work that a wrong body makes has a bound that does not depend on how long its lists are. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FastifySchemaValidationError } from 'fastify';
import { schemaController } from './validation.ts';

type Json = Readonly<Record<string, unknown>>;
type Validate = ((body: unknown) => boolean) & { errors?: FastifySchemaValidationError[] | null };

/** The body of every operation, as the API document has it: mirrored from the routes. */
function bodies(): [string, Json][] {
  const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'));
  return Object.values(document.paths as Record<string, Record<string, Json>>)
    .flatMap((operations) => Object.values(operations))
    .flatMap((operation) => {
      const body = operation['requestBody'] as
        | { content: Record<string, { schema: { $ref: string } }> }
        | undefined;
      const ref = body?.content['application/json']?.schema.$ref.split('/').at(-1);
      return ref === undefined ? [] : [[String(operation['operationId']), document.components.schemas[ref]]];
    }) as [string, Json][];
}

/** A validator as the routes have it. */
function compile(schema: Json): Validate {
  const build = schemaController.compilersFactory?.buildValidator as unknown as (
    schemas: object,
  ) => (route: object) => Validate;
  return build({})({ schema, method: 'POST', url: '/', httpPart: 'body' });
}

function errorsOf(validate: Validate, body: unknown): number {
  return validate(body) ? 0 : (validate.errors?.length ?? 0);
}

/** Schemas within, each with a function that puts a value there into a body that has nothing else. */
function* within(
  schema: Json,
  put: (value: unknown) => unknown,
): Generator<[Json, (value: unknown) => unknown]> {
  yield [schema, put];
  for (const [name, inner] of Object.entries((schema['properties'] ?? {}) as Record<string, Json>)) {
    yield* within(inner, (value) => put({ [name]: value }));
  }
  if (schema['items']) yield* within(schema['items'] as Json, (value) => put([value]));
}

const operations = bodies();

test('there are operations with lists, and every list of every body has a limit', () => {
  const lists = operations.flatMap(([name, schema]) =>
    [...within(schema, (value) => value)]
      .filter(([inner]) => 'items' in inner)
      .map(([inner]) => ({ name, inner })),
  );
  assert.ok(lists.length >= 6, `${lists.length} lists`);
  for (const { name, inner } of lists) assert.equal(typeof inner['maxItems'], 'number', name);
});

test('any list of any operation: 30,000 wrong items make no more errors than one item too many', () => {
  const item = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom(0, null, '', {}, [], [0], { cost: -1, title: 1 }),
  );
  for (const [name, schema] of operations) {
    const validate = compile(schema);
    for (const [inner, put] of within(schema, (value) => value)) {
      if (!('items' in inner)) continue;
      const most = Number(inner['maxItems']);
      fc.assert(
        fc.property(fc.array(item, { minLength: 1, maxLength: 5 }), (items) => {
          const listOf = (length: number) => Array.from({ length }, (_, n) => items[n % items.length]);
          const [over, far] = [
            errorsOf(validate, put(listOf(most + 1))),
            errorsOf(validate, put(listOf(30_000))),
          ];
          assert.equal(far, over, name);
          assert.ok(over >= 1 && over < 40, `${name}: ${over} errors`);
        }),
        { numRuns: 20 },
      );
    }
  }
});

test('any object of any operation: 30,000 unknown fields make no more errors than the first hundred or so', () => {
  const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`f${n}`, 0]));
  for (const [name, schema] of operations) {
    const validate = compile(schema);
    for (const [inner, put] of within(schema, (value) => value)) {
      if (!('properties' in inner)) continue;
      assert.ok(errorsOf(validate, put(many)) < 150, name);
    }
  }
});

test('what it accepts is what the schema accepts', () => {
  const item = {
    type: 'object',
    properties: { n: { type: 'integer' }, l: { type: 'array', maxItems: 1, items: { type: 'string' } } },
  };
  const schema = {
    type: 'object',
    required: ['list'],
    properties: {
      list: { type: ['array', 'null'], maxItems: 2, items: item },
      closed: { type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } },
    },
  };
  const bounded = compile(schema);
  const accepted = [
    { list: null },
    { list: [] },
    { list: [{ n: 1, l: ['x'] }, {}] },
    { list: [], closed: { a: '' } },
  ];
  const refused = [
    {},
    { list: [{}, {}, {}] },
    { list: [{ n: 'x' }] },
    { list: [{ l: ['x', 'y'] }] },
    { list: [], closed: { b: 1 } },
  ];
  for (const body of accepted) assert.equal(bounded(body), true, JSON.stringify(body));
  for (const body of refused) assert.equal(bounded(body), false, JSON.stringify(body));
});
