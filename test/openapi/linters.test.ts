/** The API document breaks none of the rules that Redocly and Spectral recommend. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { startTestApp } from '../harness/app.ts';
import { type Document, readDocument } from './document.ts';
import { linters } from './linters.ts';

let document: Document;
/** A small document with faults: an operation that exists twice, a missing structure, no security, no licence, a property without a description, words without an enum. */
let damaged: object;

before(async () => {
  document = await readDocument(await startTestApp());
  const { license: _, ...info } = document.info;
  const [booking, live] = [document.paths['/bookings']?.['post'], document.paths['/health/live']?.['get']];
  assert.ok(booking && live);
  const { requestBody: _body, parameters: _parameters, ...create } = booking;
  const { security: __, ...silent } = { ...live, responses: { 200: { description: 'It lives' } } };
  const made = { description: 'Made', content: { 'application/json': { schema: { $ref: '#/nowhere' } } } };
  const damage = (name: string, properties: object) => ({ [name]: { type: 'object', properties } });
  const schemas = {
    ...damage('Mute', { given: { type: 'string' }, said: { type: 'string', description: 'It is said.' } }),
    ...damage('Open', {
      status: { type: 'string', description: 'Where it stands.' },
      tags: { type: 'array', items: { type: 'string' }, description: 'Either `new` or `old`.' },
    }),
  };
  damaged = {
    ...document,
    info,
    components: { securitySchemes: document.components['securitySchemes'], schemas },
    paths: {
      '/bookings': { post: { ...create, responses: { 201: made } } },
      '/health/live': { get: silent, put: silent },
    },
  };
});

const finds = {
  redocly: [
    /^error operation-operationId-unique /m,
    /^error no-unresolved-refs /m,
    /^error security-defined #\/paths\/~1health~1live\/get /m,
    /^warn info-license /m,
  ],
  spectral: [
    /^error operation-operationId-unique /m,
    /^error invalid-ref /m,
    /^error property-description #\/components\/schemas\/Mute\/properties\/given /m,
    /^error words-enum #\/components\/schemas\/Open\/properties\/status /m,
    /^error words-enum #\/components\/schemas\/Open\/properties\/tags /m,
  ],
};

for (const name of ['redocly', 'spectral'] as const) {
  test(`${name} finds nothing wrong`, async () => {
    assert.deepEqual(await linters[name](document), []);
  });

  test(`${name} would find the faults`, async () => {
    const found = (await linters[name](damaged)).join('\n');
    for (const finding of finds[name]) assert.match(found, finding);
  });
}
