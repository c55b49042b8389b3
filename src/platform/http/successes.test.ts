/** What a success may be: JSON, another content type, no body, or one of several of these; served and in the API document. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { Type } from 'typebox';
import { Problem } from '#errors.ts';
import { documentFrame } from '#operation/openapi-info.ts';
import { described, serve, signedIn } from '../../../test/fixtures/routes.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { signedInPartner } from '../../../test/harness/world.ts';
import { out } from './fields.ts';
import { apiDocument } from './openapi-document.ts';
import { type Operation, operation, route } from './operation.ts';

const Lead = Type.Object({ id: out.string() }, { description: 'The lead.' });
const common = { ...described, tag: 'Bookings', access: 'partner' } as const;

const remove = operation({
  ...common,
  ...{ id: 'remove', method: 'DELETE', path: '/hooks/{id}', examples: {} },
  params: Type.Object({ id: out.string() }),
  success: { status: 204, description: 'It is gone.' },
});

const keep = operation({
  ...common,
  ...{ id: 'keep', method: 'POST', path: '/leads', idempotent: true },
  success: [
    { status: 201, schema: Lead, description: 'A new lead.' },
    { status: 200, schema: Lead, description: 'The lead of that reference, updated.' },
  ],
});

const csv = {
  contentType: 'text/csv',
  description: 'The groups as lines.',
  example: 'day,count\r\n',
} as const;
const count = operation({
  ...common,
  ...{ id: 'count', method: 'GET', path: '/report', versioned: true },
  query: Type.Object({ as: Type.String() }),
  success: [
    { status: 200, schema: Lead },
    { status: 200, ...csv },
  ],
});

const table = operation({
  ...common,
  ...{ id: 'table', method: 'GET', path: '/table', examples: {} },
  success: { status: 200, ...csv },
});

test('204 has no body and no content type', async () => {
  const seen: string[] = [];
  const call = await serve([
    route(remove, async ({ params }) => {
      seen.push(params.id);
      return undefined;
    }),
  ]);
  const { status, body, headers } = await call('DELETE', '/hooks/7', { headers: signedIn });
  assert.deepEqual([status, body, headers.get('content-type'), seen], [204, null, null, ['7']]);
  assert.equal((await call('DELETE', '/hooks/7')).status, 401);
});

test('of two statuses the handler says which; each has only what its schema names', async () => {
  const statuses = [201, 200] as const;
  let calls = 0;
  const call = await serve([
    route(keep, async ({ once }) =>
      once(async () => ({ status: statuses[calls++] ?? 200, body: { id: 'a', secret: 'x' } })),
    ),
  ]);
  for (const status of statuses) {
    const answer = await call('POST', '/leads', { headers: signedIn });
    assert.deepEqual([answer.status, answer.body], [status, { id: 'a' }]);
  }
});

test('a replay has the status of the first success', async () => {
  const { context, ...app } = await startTestApp();
  const { partnerId } = await signedInPartner({ context, ...app });
  let status: 200 | 201 = 200;
  const call = await serve(
    [
      route(keep, async ({ once }) =>
        once(async (claim) => {
          await context.db.query(
            `UPDATE idempotency SET status = $1, body = '{"id":"kept"}' WHERE key = $2 AND owner = $3`,
            [status, claim?.idempotencyKey, claim?.claimOwner],
          );
          return { status, body: { id: 'made' } };
        }),
      ),
    ],
    { partnerId, shared: context },
  );
  for (status of [201, 200] as const) {
    const headers = { ...signedIn, 'idempotency-key': `K${status}` };
    const first = await call('POST', '/leads', { headers });
    const again = await call('POST', '/leads', { headers });
    assert.deepEqual([first.status, first.body.id], [status, 'made']);
    assert.deepEqual([again.status, again.body.id], [status, 'kept']);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
  }
});

test('another content type is a text or a stream, beside JSON too; an error stays JSON', async () => {
  const call = await serve([
    route(count, async ({ query }) => {
      if (query.as === 'none') throw new Problem('030001');
      if (query.as === 'json') return { version: 3, status: 200, body: { id: 'a' } };
      return { version: 3, status: 200, contentType: 'text/csv', body: Readable.from(['a,b\n', '1,2\n']) };
    }),
    route(table, async () => '"text"\n'),
  ]);
  const read = async (path: string) => {
    const { status, headers, body } = await call('GET', path, { headers: signedIn });
    return [status, headers.get('content-type'), headers.get('etag'), body.errorCode ?? body];
  };
  const json = 'application/json; charset=utf-8';
  assert.deepEqual(await read('/report?as=json'), [200, json, '"3"', { id: 'a' }]);
  assert.deepEqual(await read('/report?as=csv'), [200, 'text/csv', '"3"', 'a,b\n1,2\n']);
  assert.deepEqual(await read('/report?as=none'), [404, json, null, '030001']);
  assert.deepEqual(await read('/table'), [200, 'text/csv', null, '"text"\n']);
});

test('the document has each success: by status, with its description and its contents', () => {
  const { paths } = apiDocument(documentFrame, [remove, keep, count, table] as Operation[], []) as {
    paths: Record<string, Record<string, { responses: Record<string, Record<string, unknown>> }>>;
  };
  const successes = (path: string, method: string) =>
    Object.entries(paths[path]?.[method]?.responses ?? {}).flatMap(([status, { description, content }]) =>
      status.startsWith('2') ? [[status, description, Object.keys(content ?? {})]] : [],
    );
  assert.deepEqual(successes('/hooks/{id}', 'delete'), [['204', 'It is gone.', []]]);
  assert.deepEqual(successes('/leads', 'post'), [
    ['200', 'The lead of that reference, updated.', ['application/json']],
    ['201', 'A new lead.', ['application/json']],
  ]);
  assert.deepEqual(successes('/report', 'get'), [['200', 'The lead.', ['application/json', 'text/csv']]]);
  const ofTable = paths['/table']?.['get']?.responses['200'];
  const content = { 'text/csv': { schema: { type: 'string' }, example: csv.example } };
  assert.deepEqual([ofTable?.['description'], ofTable?.['content']], [csv.description, content]);
});
