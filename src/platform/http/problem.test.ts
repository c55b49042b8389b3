import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FastifyRequest, fastify } from 'fastify';
import { invalidFields, Problem } from '#errors.ts';
import { DatabaseUnavailable } from '#platform/db/errors.ts';
import { errorBody, respondWithError, toProblem } from './problem.ts';

const request = {} as FastifyRequest;

test('429 carries no errorCode; errors are there on validation errors only (specification: Errors 1)', () => {
  const limited = errorBody(new Problem(null, { message: 'slower' }), 'r1');
  assert.deepEqual(limited, {
    success: false,
    message: 'slower',
    help: '/docs/guide/errors#statuses-without-a-code',
    requestId: 'r1',
  });
  const errors = [{ field: 'notes', message: 'is required' }];
  assert.deepEqual(errorBody(invalidFields(errors), 'r2'), {
    success: false,
    errorCode: '000001',
    message: 'notes: is required',
    errors,
    help: '/docs/guide/errors#000001',
    requestId: 'r2',
  });
});

test('a database that is away is 503 000007 with Retry-After', () => {
  const problem = toProblem(new DatabaseUnavailable('no connection'), request);
  assert.equal(problem?.errorCode, '000007');
  assert.equal(problem?.status, 503);
  assert.match(problem?.headers['retry-after'] ?? '', /^[1-9]\d*$/);
});

test('any other error is a bug: no Problem, and 500 000500 without its text (specification: Errors 4)', async () => {
  const app = fastify();
  app.setErrorHandler(respondWithError);
  const thrown: Record<string, unknown> = {
    error: new Error('SELECT secret FROM partner WHERE phone = +61491570006'),
    type: new TypeError("Cannot read properties of undefined (reading 'phone')"),
    text: 'a text with a secret',
    nothing: undefined,
    faked: Object.assign(new Error('a secret'), { statusCode: 200 }),
    far: Object.assign(new Error('a secret'), { statusCode: 599 }),
  };
  for (const [name, error] of Object.entries(thrown)) {
    assert.equal(toProblem(error, request), null);
    app.get(`/${name}`, async () => {
      throw error;
    });
  }
  for (const name of Object.keys(thrown).filter((each) => each !== 'nothing')) {
    const answer = await app.inject(`/${name}`);
    assert.equal(answer.statusCode, 500);
    const { requestId, help: _, ...body } = answer.json();
    assert.deepEqual(body, { success: false, errorCode: '000500', message: 'Internal error' });
    assert.equal(typeof requestId, 'string');
  }
  await app.close();
});

test("an error's own headers are sent with it, and its body replaces what the route had set", async () => {
  const app = fastify();
  app.setErrorHandler(respondWithError);
  app.get('/', async (_, reply) => {
    reply.type('text/html').header('etag', '"1"');
    throw new Problem('000010', { headers: { 'x-more': 'yes' } });
  });
  const answer = await app.inject('/');
  assert.equal(answer.statusCode, 412);
  assert.equal(answer.headers['x-more'], 'yes');
  assert.equal(answer.headers['etag'], undefined);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(answer.json().errorCode, '000010');
  await app.close();
});
