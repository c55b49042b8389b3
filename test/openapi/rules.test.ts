/** The API document keeps the rules of OpenAPI 3.1, and has what a partner's developer needs. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../harness/app.ts';
import {
  type Document,
  follow,
  jsonOf,
  type NamedOperation,
  operationsOf,
  type Reference,
  readDocument,
  successesOf,
} from './document.ts';

let app: TestApp;
let document: Document;
let operations: NamedOperation[];

before(async () => {
  app = await startTestApp();
  document = await readDocument(app);
  operations = operationsOf(document);
});

/** Every object of the document, whatever it is. */
function* nodes(node: unknown): Generator<Record<string, unknown>> {
  if (node === null || typeof node !== 'object') return;
  if (!Array.isArray(node)) yield node as Record<string, unknown>;
  for (const child of Object.values(node)) yield* nodes(child);
}

describe('OpenAPI 3.1', () => {
  test('version, title and servers', () => {
    assert.match(document.openapi, /^3\.1\.\d+$/);
    assert.ok(document.info.title && document.info.version && document.info.description);
    assert.deepEqual(
      document.servers.map(({ url }) => url),
      ['/', '/v1'],
    );
  });

  test('every operation has an operationId of its own', () => {
    const ids = operations.map(({ operationId }) => operationId);
    assert.ok(ids.every((id) => /^[a-z][A-Za-z]+$/.test(id)));
    assert.equal(new Set(ids).size, ids.length);
  });

  test('every $ref resolves', () => {
    const references = [...nodes(document)].filter(({ $ref }) => typeof $ref === 'string');
    assert.ok(references.length > 100);
    for (const node of references) {
      assert.notEqual(follow(document, node as unknown as Reference), undefined, String(node['$ref']));
    }
  });

  test('every component is used, and has a name of its own', () => {
    const used = new Set([...nodes(document)].map(({ $ref }) => $ref));
    for (const [kind, components] of Object.entries(document.components)) {
      if (kind === 'securitySchemes') continue;
      for (const name of Object.keys(components)) {
        assert.match(name, /^[a-zA-Z0-9._-]+$/);
        assert.doesNotMatch(name, /^def-/);
        assert.ok(used.has(`#/components/${kind}/${name}`), `${kind}/${name} is not used`);
      }
    }
  });

  test('the path parameters are those of the path, required and described', () => {
    for (const { path, operationId, parameters = [] } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = parameters.filter((parameter) => parameter.in === 'path');
      assert.deepEqual(declared.map(({ name }) => name).sort(), inPath.sort(), operationId);
      assert.ok(declared.every(({ required, example }) => required && example !== undefined));
      for (const parameter of parameters) {
        assert.ok(parameter.description, `${operationId}: ${parameter.name} has no description`);
      }
      const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      assert.equal(new Set(names).size, names.length);
    }
  });

  test('no keyword of OpenAPI 3.0 is left, no format of our own, and nothing of how it was made', () => {
    for (const node of nodes(document.components['schemas'])) {
      assert.notEqual(node['nullable'], true);
      const format = node['format'];
      if (typeof format === 'string') assert.match(format, /^(date-time|date|email|uri|uuid)$/);
    }
    assert.doesNotMatch(JSON.stringify(document), /"x-facts"|"\$id"/);
  });
});

describe('every operation', () => {
  test('has a summary, a description, a described tag, and a described success', () => {
    const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
    for (const operation of operations) {
      const { operationId, summary, description } = operation;
      assert.ok(summary && summary.length < 60, `${operationId}: summary`);
      assert.ok(description, `${operationId}: description`);
      assert.equal(operation.tags.length, 1);
      for (const tag of operation.tags) assert.ok(tags.get(tag), `${operationId}: tag ${tag}`);
      for (const { response } of successesOf(operation)) {
        assert.ok(response.description && response.description !== 'Default Response', operationId);
      }
    }
  });

  test('is there once, without its twin below /v1 (specification: Requests and responses 1)', () => {
    assert.deepEqual(
      Object.keys(document.paths).filter((path) => path.startsWith('/v1')),
      [],
    );
    for (const path of ['/auth/token', '/auth/refresh', '/workshops', '/bookings', '/bookings/{id}']) {
      assert.ok(document.paths[path], path);
    }
    for (const path of ['/workshops/{id}/messages', '/workshops/{id}/templates']) {
      assert.ok(document.paths[path], path);
    }
  });

  test('bearer token and X-Partner-ID everywhere but on sign-in and refresh, which take X-Partner-ID alone (specification: Signing in 1)', () => {
    for (const operation of operations) {
      const tag = operation.tags[0] ?? '';
      const header = operation.parameters?.find(({ name }) => name === 'X-Partner-ID');
      // One way to say it: a client that is generated from the document sets the header once.
      assert.equal(header, undefined, operation.operationId);
      if (tag === 'Authentication') {
        assert.deepEqual(operation.security, [{ partnerId: [] }]);
      } else if (tag === 'Sandbox' || tag === 'Health') {
        assert.deepEqual(operation.security, [], operation.operationId);
      } else {
        assert.deepEqual(operation.security, [{ accessToken: [], partnerId: [] }], operation.operationId);
      }
    }
    const schemes = document.components['securitySchemes'] as Record<string, Record<string, string>>;
    assert.equal(schemes['accessToken']?.['scheme'], 'bearer');
    assert.deepEqual(
      [schemes['partnerId']?.['in'], schemes['partnerId']?.['name']],
      ['header', 'X-Partner-ID'],
    );
  });

  test('names its body structures', () => {
    for (const { requestBody, responses } of operations) {
      for (const { content } of [...(requestBody ? [requestBody] : []), ...Object.values(responses)]) {
        // A 204 has none.
        if (content === undefined) continue;
        assert.match(jsonOf(content).schema.$ref, /^#\/components\/schemas\/[A-Z][A-Za-z]+$/);
      }
    }
  });
});

test('the same document is at /docs/json', async () => {
  assert.deepEqual((await app.request('GET', '/docs/json')).body, document);
});

test('without the sandbox, neither its operations nor its structures are in the document', async () => {
  const plain = await startTestApp({ sandbox: false });
  const without = await readDocument(plain);
  await plain.close();
  const text = JSON.stringify({ paths: without.paths, components: without.components });
  assert.doesNotMatch(text, /[sS]andbox/);
  assert.equal(Object.keys(without.paths).length, Object.keys(document.paths).length - 5);
});
