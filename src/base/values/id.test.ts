import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isId, newId, timeOfId } from './id.ts';

test('new ids are lower-case UUIDv7 of now, all different, in the order they were made (specification: Ids 1)', () => {
  const before = Date.now();
  const ids = Array.from({ length: 20_000 }, newId);
  for (const id of ids)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual(ids, [...new Set(ids)].sort());
  const madeAt = Number.parseInt((ids[0] ?? '').replaceAll('-', '').slice(0, 12), 16);
  assert.ok(madeAt >= before && madeAt <= Date.now());
});

test('any UUID in canonical form is an id, in either case', () => {
  fc.assert(fc.property(fc.uuid(), (uuid) => isId(uuid) && isId(uuid.toUpperCase())));
});

test('other texts are not ids', () => {
  const id = newId();
  for (const text of [
    '',
    'x',
    `${id} `,
    ` ${id}`,
    `${id}\n`,
    `{${id}}`,
    id.replaceAll('-', ''),
    `${id}0`,
    '1',
    id.slice(1),
  ]) {
    assert.equal(isId(text), false, JSON.stringify(text));
  }
  fc.assert(fc.property(fc.string(), (text) => !isId(text)));
});

test('a UUIDv7 has the time when it was made; other ids do not', () => {
  assert.deepEqual(timeOfId('019afb1c-2a00-7abc-8def-0123456789ab'), new Date(0x019afb1c2a00));
  for (const other of ['019afb1c-2a00-4abc-8def-0123456789ab', '', 'R-1'])
    assert.equal(timeOfId(other), null);
});
