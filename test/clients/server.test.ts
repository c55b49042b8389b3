/** @pitlane/client against a real server: its README's example, as a package that was installed; tokens, lists, refusals. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, mock, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient, each, type PitlaneClient, pages } from '../../clients/typescript/src/index.ts';
import { demoPartner, demoWorkshops } from '../../src/operation/demo/data.ts';
import { ensureDemo } from '../../src/operation/demo/demo.ts';
import { startTestApp, type TestApp } from '../harness/app.ts';
import { sandboxGateways } from '../harness/sandbox.ts';
import { bookingBody } from '../harness/world.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'clients/typescript');
const run = promisify(execFile);
const workshopId = demoWorkshops[0].id;

let app: TestApp;
let pitlane: PitlaneClient;

before(async () => {
  app = await startTestApp({ gateways: sandboxGateways });
  await ensureDemo(app.context);
  pitlane = clientOf();
});

function clientOf(): PitlaneClient {
  const { id, appKey, secret } = demoPartner;
  return createClient({ baseUrl: app.url, partnerId: id, appKey, secret });
}

/** The compiler of this project; fails with its words. */
async function tsc(...args: string[]): Promise<void> {
  await run(join(root, 'node_modules/.bin/tsc'), args, { cwd: root }).catch(({ stdout }) =>
    assert.fail(stdout),
  );
}

test("the README's example, with the package that the installation serves, also a second time", async (t: TestContext) => {
  const place = await mkdtemp(join(tmpdir(), 'pitlane-client-'));
  t.after(() => rm(place, { recursive: true }));
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(readme) ?? [];
  await writeFile(join(place, 'package.json'), '{ "type": "module" }');
  const [, install = ''] = /^npm (install http.+)$/m.exec(readme) ?? [];
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--cache', join(place, 'npm')];
  await run('npm', [...install.replace('http://localhost:3000', app.url).split(' '), ...quiet], {
    cwd: place,
  });
  const example = join(place, 'example.ts');
  await writeFile(example, code);
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
  const modern = ['--target', 'esnext', '--module', 'nodenext', '--strict', '--noEmit', '--ignoreConfig'];
  await tsc(...modern, ...types, example);

  const start = async () => {
    const { stdout } = await run(process.execPath, [example], { env: { BASE: app.url } });
    return stdout;
  };
  const first = await start();
  assert.match(
    first,
    /^booking [0-9A-Z]{8} is pending\nthe SMS was sent\npending at .+: \d+\n404 060001: .+\n$/,
  );
  assert.equal(await start(), first);
});

test('an expired token is refreshed once for all calls', async () => {
  const spied = mock.method(globalThis, 'fetch');
  const own = clientOf();
  await own.listWorkshops();
  app.advance(49 * 3_600);
  const answers = await Promise.all(Array.from({ length: 4 }, () => own.listWorkshops()));
  assert.ok(answers.every(({ workshops }) => workshops.length > 0));
  const paths = spied.mock.calls.map(({ arguments: [url] }) => new URL(String(url)).pathname);
  assert.equal(paths.filter((path) => path === '/v1/auth/token').length, 1);
  assert.equal(paths.filter((path) => path === '/v1/auth/refresh').length, 1);
  assert.equal(paths.filter((path) => path === '/v1/workshops').length, 9);
  spied.mock.restore();
});

test('status and headers; a change of another version is refused', async () => {
  const body = bookingBody(workshopId);
  const made = await pitlane.call('createBooking', { body, headers: { 'Idempotency-Key': 'once' } });
  assert.equal(made.status, 201);
  const again = await pitlane.call('createBooking', { body, headers: { 'Idempotency-Key': 'once' } });
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(again.body, made.body);
  const path = { id: made.body.booking.id };
  const headers = { 'If-Match': made.headers.get('etag') ?? '' };
  const { booking } = await pitlane.updateBooking({ path, headers, body: { notes: 'Ring first' } });
  assert.equal(booking.notes, 'Ring first');
  await assert.rejects(pitlane.updateBooking({ path, headers, body: { notes: 'No' } }), {
    name: 'PitlaneError',
    status: 412,
    code: '000010',
  });
});

test('a refusal names its fields; a place that is taken says what is free', async () => {
  const faulty = { ...bookingBody(workshopId), customerEmail: 'nobody', carYear: 1 };
  await assert.rejects(pitlane.createBooking({ body: faulty }), (error: { fields: { field: string }[] }) => {
    assert.deepEqual(error.fields.map(({ field }) => field).sort(), ['carYear', 'customerEmail']);
    return true;
  });
});

test('lists: every item once, page by page; a feed ends where there is nothing new', async () => {
  for (const day of ['05', '06', '07', '08', '09']) {
    await pitlane.createBooking({
      body: bookingBody(workshopId, { bookingTime: `2030-03-${day}T22:30:00Z` }),
    });
  }
  const { bookings } = await pitlane.listBookings({ query: { limit: 200 } });
  const found: string[] = [];
  for await (const booking of each(pitlane.listBookings, { query: { limit: 2 } })) found.push(booking.id);
  assert.deepEqual(
    found,
    bookings.map(({ id }) => id),
  );
  assert.ok(found.length >= 5);

  await app.drain();
  const sizes: number[] = [];
  let last = '';
  for await (const page of pages(pitlane.listEvents, { query: { limit: 3 } })) {
    sizes.push(page.events.length);
    last = page.nextCursor ?? '';
  }
  assert.equal(sizes.at(-1), 0);
  assert.ok(sizes.length > 2);
  const { events } = await pitlane.listEvents({ query: { cursor: last } });
  assert.deepEqual(events, []);
});

test('an answer without a body; operations that need no token', async () => {
  const url = 'https://partner.example/pitlane';
  const { webhook } = await pitlane.createWebhook({ body: { url, actions: ['bookingCreate'] } });
  assert.equal(await pitlane.deleteWebhook({ path: { id: webhook.id } }), undefined);
  const { now } = await pitlane.getClock();
  assert.match(now, /Z$/);
});
