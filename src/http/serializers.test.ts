import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildSerializer } from './serializers.ts';

const shared = { Plate: { $id: 'Plate', type: 'object', properties: { rego: { type: 'string' } } } };
const route = (schema: object, httpStatus = '200') => ({ schema, httpStatus, method: 'GET', url: '/cars' });

test('what answers alike has one serializer, whatever its description says', () => {
  const compile = buildSerializer(shared, {});
  const ok = compile(route({ $ref: 'Plate#', description: 'The car.' }));
  assert.equal(compile(route({ $ref: 'Plate#', description: 'Not this one.', codes: ['1'] }, '404')), ok);
  assert.equal(buildSerializer(structuredClone(shared), {})(route({ $ref: 'Plate#' })), ok);
  assert.equal(ok({ rego: 'ABC123', secret: 'x' }), '{"rego":"ABC123"}');
});

test('another schema, or another shared schema of that name, has another', () => {
  const compile = buildSerializer(shared, {});
  const list = compile(route({ type: 'array', items: { $ref: 'Plate#' } }));
  assert.equal(list([{ rego: 'A', secret: 'x' }]), '[{"rego":"A"}]');
  const named = { Plate: { $id: 'Plate', type: 'object', properties: { make: { type: 'string' } } } };
  const other = buildSerializer(named, {})(route({ $ref: 'Plate#' }));
  assert.equal(other({ rego: 'A', make: 'Kia' }), '{"make":"Kia"}');
});
