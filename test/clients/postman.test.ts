/** The Postman collection, run as Postman runs it: variables, the script before a request, the request, the scripts after it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { ensureDemo } from '../../src/operation/demo/demo.ts';
import { type Answer, startTestApp, type TestApp } from '../harness/app.ts';
import { sandboxGateways } from '../harness/sandbox.ts';

interface Entry {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}
interface Script {
  readonly listen: 'prerequest' | 'test';
  readonly script: { readonly exec: readonly string[] };
}
interface Request {
  readonly method: string;
  readonly header: readonly Entry[];
  readonly url: {
    readonly path: readonly string[];
    readonly variable?: readonly Entry[];
    readonly query?: readonly Entry[];
  };
  readonly body?: { readonly raw: string };
  readonly auth?: { readonly type: string };
}
interface Item {
  readonly name: string;
  readonly request: Request;
  readonly event?: readonly Script[];
}
interface Collection {
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
  readonly event: readonly Script[];
  readonly variable: readonly Entry[];
}

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
const collection: Collection = read('clients/postman/pitlane.postman_collection.json');
const items = collection.item.flatMap(({ item }) => item);

let app: TestApp;
let variables: Map<string, string>;

before(async () => {
  app = await startTestApp({ gateways: sandboxGateways });
  await ensureDemo(app.context);
  variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  variables.set('baseUrl', app.url);
});

function filled(text: string): string {
  return text.replaceAll(/\{\{(\$?\w+)\}\}/g, (_all, name) => {
    const value = name === '$guid' ? randomUUID() : variables.get(name);
    assert.notEqual(value, undefined, `there is no variable ${name}`);
    return value ?? '';
  });
}

const headersOf = (entries: readonly Entry[]) =>
  Object.fromEntries(
    entries.filter(({ disabled }) => !disabled).map(({ key, value }) => [key.toLowerCase(), filled(value)]),
  );

const responseOf = ({ status, headers, body }: Answer) => ({ code: status, headers, json: () => body });

/** Runs the scripts of an event; resolves when the requests that they send have been answered. */
async function runScripts(
  events: readonly Script[],
  listen: Script['listen'],
  path: string,
  answer?: Answer,
) {
  const sending: Promise<void>[] = [];
  let isSkipped = false;
  const pm = {
    request: { url: { getPath: () => path } },
    variables: { get: (name: string) => variables.get(name) },
    collectionVariables: {
      get: (name: string) => variables.get(name),
      set: (name: string, value: string) => variables.set(name, value),
    },
    execution: {
      skipRequest: () => {
        isSkipped = true;
      },
    },
    response: answer && responseOf(answer),
    sendRequest: (request: PmRequest, done: (error: null, response: object) => void) => {
      const { url, method, header, body } = request;
      const headers = headersOf(Object.entries(header).map(([key, value]) => ({ key, value })));
      const options = { headers, body: JSON.parse(body.raw) };
      const sent = app.request(method, url.replace(app.url, ''), options);
      sending.push(sent.then((got) => done(null, responseOf(got))));
    },
  };
  for (const { script } of events.filter((event) => event.listen === listen)) {
    runInNewContext(script.exec.join('\n'), { pm, console: { log: () => undefined } });
  }
  await Promise.all(sending);
  return isSkipped;
}

interface PmRequest {
  readonly url: string;
  readonly method: string;
  readonly header: Readonly<Record<string, string>>;
  readonly body: { readonly raw: string };
}

/** Null: its script skips the request. */
async function runOrSkip(name: string): Promise<Answer | null> {
  const item = items.find((one) => one.name === name);
  assert.ok(item, `there is no request "${name}"`);
  const { request, event = [] } = item;
  const { path, variable = [], query = [] } = request.url;
  const values = headersOf(variable.map(({ key, value }) => ({ key: `:${key}`, value })));
  const place = `/${path.map((part) => values[part.toLowerCase()] ?? part).join('/')}`;
  const search = new URLSearchParams(headersOf(query)).toString();
  await runScripts(collection.event, 'prerequest', place);
  if (await runScripts(event, 'prerequest', place)) return null;
  const bearer = request.auth?.type === 'noauth' ? {} : { authorization: filled('Bearer {{token}}') };
  const answer = await app.request(request.method, `${place}${search && `?${search}`}`, {
    headers: { ...bearer, ...headersOf(request.header) },
    ...(request.body && { body: JSON.parse(filled(request.body.raw)) }),
  });
  await runScripts([...collection.event, ...event], 'test', place, answer);
  return answer;
}

async function runItem(name: string): Promise<Answer> {
  const answer = await runOrSkip(name);
  assert.ok(answer, `"${name}" was skipped`);
  return answer;
}

test('has a request for each operation of the document, in the folder of its area', () => {
  const paths: Record<string, Record<string, { summary: string; tags: string[] }>> = read(
    'openapi.json',
  ).paths;
  const wanted = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .map(({ summary, tags }) => `${tags[0]}: ${summary}`);
  const found = collection.item.flatMap((folder) => folder.item.map(({ name }) => `${folder.name}: ${name}`));
  assert.deepEqual(found.sort(), wanted.sort());
});

test('signs in by itself before the first request that needs a token; each request works as it stands', async () => {
  assert.equal((await runItem('The process runs')).status, 200);
  assert.equal(variables.get('token'), '');
  for (const name of [
    'List your workshops',
    'List the services of a workshop',
    'List the free times of a workshop',
  ]) {
    const answer = await runItem(name);
    assert.equal(answer.status, 200, `${name}: ${JSON.stringify(answer.body)}`);
  }
  assert.equal((await runItem('Create a booking')).headers.get('idempotent-replayed'), null);
});

test('runs green from top to bottom: each request is about what those before it made; what there is nothing for is skipped', async () => {
  const notGreen: Record<string, number | 'skipped'> = {};
  for (const { name } of items) {
    const status = (await runOrSkip(name))?.status ?? 'skipped';
    if (status === 'skipped' || status >= 300) notGreen[name] = status;
  }
  assert.deepEqual(notGreen, { 'Deliver one again': 'skipped' });
  // Later there is a delivery: that of the next request is another endpoint's, so it is not found, but it is asked for.
  variables.set('deliveryId', randomUUID());
  assert.equal((await runOrSkip('Deliver one again'))?.status, 404);
  variables.set('deliveryId', '');
});

test('keeps the tokens of a refresh, and signs in again after a 401', async () => {
  const before = variables.get('token');
  assert.equal((await runItem('Refresh the access token')).status, 200);
  assert.notEqual(variables.get('token'), before);
  app.advance(49 * 3_600);
  assert.equal((await runItem('List your workshops')).status, 401);
  assert.equal((await runItem('List your workshops')).status, 200);
});
