import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaController } from './validation.ts';

test('a limit in a query holds against Infinity and numbers too large to be one', () => {
  const build = schemaController.compilersFactory?.buildValidator?.({});
  assert.ok(build);
  const schema = { type: 'object', properties: { limit: { type: 'integer', minimum: 1, maximum: 200 } } };
  const validate = build({
    schema,
    method: 'GET',
    url: '/',
    httpPart: 'querystring',
  } as never) as unknown as (data: unknown) => unknown;
  for (const limit of ['Infinity', '-Infinity', '1e999']) {
    const { error } = validate({ limit }) as { error: { instancePath: string }[] };
    assert.deepEqual(
      error.map(({ instancePath }) => instancePath),
      ['/limit'],
    );
  }
  const query = { limit: '200' };
  assert.equal(validate(query), true);
  assert.deepEqual(query, { limit: 200 });
});
