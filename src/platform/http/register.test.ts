/** A declaration's routes: what a handler gets, how its result is sent, and that nothing else is served. */
import assert from 'node:assert/strict';
import diagnostics from 'node:diagnostics_channel';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { Type } from 'typebox';
import { Problem } from '#errors.ts';
import { described, serve, signedIn } from '../../../test/fixtures/routes.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { integer, out, text } from './fields.ts';
import { type Operation, operation, route } from './operation.ts';

const Car = Type.Object({ rego: out.string(), year: out.integer() });

test('params, query and body arrive in the types of their schemas; the answer has only what its schema names', async () => {
  const declared = operation({
    ...described,
    ...{ id: 'putCar', method: 'PUT', path: '/cars/{rego}/at/{place}', tag: 'Bookings', access: 'partner' },
    params: Type.Object({ rego: out.string(), place: out.string() }),
    query: Type.Object({ limit: Type.Optional(Type.Integer()) }),
    body: Type.Object({ year: integer({ min: 1900, max: 2100 }) }),
    success: { status: 202, schema: Car },
  });
  const seen: unknown[] = [];
  const call = await serve([
    route(declared, async ({ params, query, body, partnerId }) => {
      seen.push(params.rego, params.place, query.limit, partnerId);
      return { rego: params.rego, year: body.year, secret: 'x' };
    }),
  ]);
  for (const prefix of ['', '/v1']) {
    const options = { headers: signedIn, body: { year: 2019 } };
    const made = await call('PUT', `${prefix}/cars/ABC/at/home?limit=7`, options);
    assert.deepEqual([made.status, made.body], [202, { rego: 'ABC', year: 2019 }]);
    assert.deepEqual(seen.splice(0), ['ABC', 'home', 7, 'us']);
  }
  assert.equal((await call('PUT', '/cars/A/at/b', { body: { year: 2019 } })).body.errorCode, '010000');
  const wrong = await call('PUT', '/cars/A/at/b?limit=x', { headers: signedIn, body: { year: 1 } });
  assert.equal(wrong.status, 400);
});

test('an operation of an unversioned tag is served at the root only; access is checked before the body', async () => {
  const declared = operation({
    ...described,
    ...{ id: 'look', method: 'POST', path: '/look', tag: 'Sandbox', access: 'thisMachine' },
    body: Type.Object({ year: integer({ min: 1, max: 2 }) }),
    success: { status: 200, schema: Car },
  });
  const call = await serve([route(declared, async () => ({ rego: '', year: 0 }))]);
  assert.equal((await call('POST', '/look', { body: {} })).body.errorCode, '000003');
  assert.equal((await call('POST', '/v1/look', { body: {} })).status, 404);
});

test('the version of a response is its ETag, and If-Match reaches the handler; a creation through once has version 1', async () => {
  const common = { tag: 'Bookings', access: 'partner', versioned: true } as const;
  const success = { status: 200, schema: Car } as const;
  const read = operation({
    ...described,
    ...common,
    ...{ id: 'read', method: 'GET', path: '/car', ifMatch: true, success },
  });
  const make = operation({
    ...described,
    ...common,
    ...{ id: 'make', method: 'POST', path: '/car', idempotent: true, success: { ...success, status: 201 } },
  });
  const call = await serve([
    route(read, async ({ ifMatch = '' }) => ({ version: 7, body: { rego: ifMatch, year: 1 } })),
    route(make, async ({ once }) => once(async (claim) => ({ rego: String(claim), year: 1 }))),
  ]);
  const found = await call('GET', '/car', { headers: { ...signedIn, 'if-match': '"6"' } });
  assert.deepEqual([found.headers.get('etag'), found.body.rego], ['"7"', '"6"']);
  const made = await call('POST', '/car', { headers: signedIn });
  assert.deepEqual([made.status, made.headers.get('etag'), made.body.rego], [201, '"1"', 'null']);
  const key = await call('POST', '/car', { headers: { ...signedIn, 'idempotency-key': 'x'.repeat(256) } });
  assert.deepEqual([key.status, key.body.errors[0].field], [400, 'Idempotency-Key']);
});

test('with checksBody the faults of schema and handler are named together, and no other body gets through', async () => {
  const declared = operation({
    ...described,
    ...{ id: 'check', method: 'POST', path: '/check', tag: 'Bookings', access: 'anyone', checksBody: true },
    body: Type.Object({ rego: text(), year: integer({ min: 1, max: 3 }) }),
    success: { status: 200, schema: Car },
  });
  const call = await serve([
    route(declared, async ({ body, accept }) =>
      accept(body.rego === 'ODD' ? [{ field: 'rego', message: 'is odd' }] : []),
    ),
  ]);
  const fieldsOf = async (body: unknown) => {
    const answer = await call('POST', '/check', { body });
    return [answer.status, ...(answer.body.errors ?? []).map(({ field }: { field: string }) => field)];
  };
  assert.deepEqual(await fieldsOf({ rego: 'ODD', year: 9 }), [400, 'year', 'rego']);
  assert.deepEqual(await fieldsOf({ rego: 'ODD', year: 1 }), [400, 'rego']);
  assert.deepEqual(await fieldsOf({ year: 1 }), [400, 'rego']);
  assert.deepEqual(await fieldsOf('null'), [400, 'body']);
  assert.deepEqual(await fieldsOf({ rego: 'A', year: 1 }), [200]);
});

test('an optional body may be absent, empty or null, with or without a content type; one that is sent is checked', async () => {
  const common = {
    ...described,
    ...({ method: 'POST', tag: 'Bookings', access: 'anyone' } as const),
    body: Type.Object({ reason: Type.Optional(text({ max: 3 })) }),
    success: { status: 200, schema: Type.Object({ reason: out.string() }) },
  } as const;
  const optional = operation({ ...common, id: 'optional', path: '/optional', emptyBody: true });
  const needed = operation({ ...common, id: 'needed', path: '/needed' });
  const call = await serve(
    [optional, needed].map((each) => route(each, async ({ body }) => ({ reason: body.reason ?? 'none' }))),
  );
  const headers = { 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const options of [{}, { headers }, { headers: form }, { body: '' }, { body: {} }, { body: 'null' }]) {
    const answer = await call('POST', '/optional', options);
    assert.deepEqual([answer.status, answer.body.reason], [200, 'none'], JSON.stringify(options));
  }
  assert.equal((await call('POST', '/optional', { body: { reason: 'abc' } })).body.reason, 'abc');
  assert.equal((await call('POST', '/optional', { body: { reason: 'abcd' } })).status, 400);
  assert.equal((await call('POST', '/optional', { headers: form, body: 'a=b' })).status, 415);
  for (const options of [{}, { headers }, { body: '' }]) {
    assert.equal((await call('POST', '/needed', options)).status, 400);
  }
});

test('every 400 of an operation with a badRequestCode has that code', async () => {
  const declared = operation({
    ...described,
    ...{ id: 'coded', method: 'POST', path: '/coded', tag: 'Bookings', access: 'anyone' },
    badRequestCode: '010002',
    body: Type.Object({ rego: text() }),
    success: { status: 200, schema: Car },
  });
  const call = await serve([
    route(declared, async () => {
      throw new Problem('030001');
    }),
  ]);
  for (const body of [{}, 'no JSON', '']) {
    assert.equal((await call('POST', '/coded', { body })).body.errorCode, '010002');
  }
  assert.equal((await call('POST', '/coded', { body: { rego: 'x' } })).body.errorCode, '030001');
});

/** What is served without being an operation of the API: pages, metrics, calendars, what gateways call. */
const undeclared =
  /^\/(?:pages\/(?:[\w-]+\/[\w.-]+\.(?:css|m?js)|(?:logos|marks)\/:file)|book\/:slug(?:\/manage)?|b|[bqru]\/:code(?:\/[\w.]+)?|calendar\/:file|console(?:\/.*)?|docs(?:\/.*)?|openapi\.json|metrics|sandbox(?:\/requests\.html|\/messages\/:id\/preview|\/clock\/(?:move|reset)|\/answer)?|gateways\/:name\/\w+)?$/;

test('each operation that is declared is registered, and each route that is registered is declared', async () => {
  const routes: RouteOptions[] = [];
  const watch = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', (each) => void routes.push(each));
  diagnostics.subscribe('fastify.initialization', watch);
  await startTestApp();
  diagnostics.unsubscribe('fastify.initialization', watch);

  const served = new Set(routes.flatMap(({ config }) => config?.operationId ?? []));
  const files = globSync('**/operations.ts', { cwd: new URL('../../', import.meta.url) });
  const modules = await Promise.all(files.map((file) => import(`../../${file}`)));
  const declared = modules.flatMap((module) =>
    Object.values<Partial<Operation>>(module).flatMap(({ id, path }) => (id && path ? [id] : [])),
  );
  assert.ok(declared.length >= 15);
  assert.deepEqual([...served].sort(), declared.sort());

  const others = routes.filter(({ config, handler }) => !config?.operationId && handler.name !== 'refuse');
  assert.ok(others.length > 5);
  for (const { url } of others) assert.match(url, undeclared);
});
