/** What a newcomer meets: the first start and its page, the second start, and everything that can be wrong with a start. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { fail, json, run } from './command-line/run.ts';
import { isRoot, makeFolder, postmasterOf, usedDataDir } from './fixtures/embedded.ts';
import { send } from './harness/app.ts';
import { createTestDatabase } from './harness/database.ts';
import { type ServerProcess, type Started, startServer, startWithPage } from './harness/server.ts';

/** A failing start may have to wait for a connection's five seconds; this is far more than it takes on a busy machine. */
const quicklyMs = 20_000;
const shell = ['bash', 'curl'].every((name) => spawnSync(name, ['--version']).status === 0);

const folder = mkdtempSync(join(tmpdir(), 'pitlane start '));
// PostgreSQL, which root runs as another user, has to get in.
chmodSync(folder, 0o755);
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
const dataDir = join(folder, 'data');
const env = { PITLANE_DATA_DIR: dataDir };

/** The lines of a shell that the page asks to paste. */
const pasted = (page: string) => page.split('\n').filter((line) => /^(?:TOKEN=|curl )/.test(line));
/** A value of the page, by its name. */
const shown = (page: string, name: string) => new RegExp(`^ +${name} +(\\S+)`, 'm').exec(page)?.[1];

async function signIn(server: Started) {
  const { url, partnerId, appKey, secret } = server;
  return send(`${url}/auth/token`, 'POST', {
    headers: { 'x-partner-id': partnerId },
    body: { appKey, secret },
  });
}

describe('on the embedded database', () => {
  let demo: Started;
  let bookingId = '';

  test('the first start prints a page; its addresses answer, and its three lines work as pasted', async (t) => {
    const server = await startWithPage(t, env);
    const { page } = server;
    assert.ok(page.split('\n').length < 40, 'more than a page');
    const url = /ready at (\S+)/.exec(page)?.[1] ?? '';
    const addresses: readonly string[] = page.match(/http:\/\/[^\s)']+/g) ?? [];
    for (const path of ['/docs', '/openapi.json', '/sandbox', '/health/ready', '/metrics']) {
      assert.ok(addresses.includes(`${url}${path}`), `${path} is not on the page`);
      assert.equal((await send(`${url}${path}`, 'GET')).status, 200, path);
    }
    assert.match(page, new RegExp(`PostgreSQL in ${dataDir}`));
    demo = {
      url,
      partnerId: shown(page, 'X-Partner-ID') ?? '',
      appKey: shown(page, 'App Key') ?? '',
      secret: shown(page, 'Secret') ?? '',
      workshopId: shown(page, 'Workshop') ?? '',
    };
    assert.equal((await signIn(demo)).status, 200);
    const lines = pasted(page);
    assert.equal(lines.length, 3);
    if (shell) bookingId = paste(lines);
    else t.diagnostic('the three lines were not pasted: there is no bash, or no curl');

    await fail(['serve', '--port', '0'], env, 1, /process \d+, a server.*PITLANE_DATA_DIR/);
    assert.deepEqual((await json(['status'], env)).database.embedded, true, 'commands work beside it');
    await assertStops(server, 'SIGINT');
  });

  test('a second start keeps the data and shows the same credentials', {
    skip: !shell && 'no booking was pasted',
  }, async (t) => {
    const server = await startServer(t, env);
    assert.deepEqual(pick(server), pick(demo));
    const { token } = (await signIn(server)).body;
    const headers = { 'x-partner-id': server.partnerId, authorization: `Bearer ${token}` };
    const answer = await send(`${server.url}/bookings/${bookingId}`, 'GET', { headers });
    assert.deepEqual([answer.status, answer.body.booking?.id], [200, bookingId]);
    await assertStops(server, 'SIGTERM');
  });

  test('at a public address there is no demo, and an existing demo partner is refused', async (t) => {
    // An address of this machine alone, written so that it does not look like one.
    const open = { HOST: '127.1', PITLANE_SANDBOX: 'on' };
    const server = await startServer(t, { ...env, ...open });
    assert.equal(server.partnerId, null);
    const answer = await signIn({ ...demo, url: server.url });
    assert.deepEqual([answer.status, answer.body.errorCode], [401, '010003']);
    await assertStops(server, 'SIGTERM');

    const fresh = { PITLANE_DATA_DIR: await usedDataDir(t), ...open };
    const empty = await startWithPage(t, fresh);
    assert.match(empty.page, /npx pitlane partner create/);
    assert.deepEqual(await json(['partner', 'list'], fresh), []);
    assert.equal((await send(`${/ready at (\S+)/.exec(empty.page)?.[1]}/sandbox`, 'GET')).status, 200);
    await assertStops(empty, 'SIGTERM');
  });

  test('PITLANE_DEMO=off makes no demo', async (t) => {
    const own = { PITLANE_DATA_DIR: await usedDataDir(t), PITLANE_DEMO: 'off' };
    const server = await startServer(t, own);
    assert.deepEqual(pick(server), { partnerId: null, appKey: null, secret: null, workshopId: null });
    assert.deepEqual(await json(['workshop', 'list'], own), []);
    await assertStops(server, 'SIGTERM');
  });

  function pick({ partnerId, appKey, secret, workshopId }: Omit<Started, 'url'>) {
    return { partnerId, appKey, secret, workshopId };
  }

  async function assertStops(server: ServerProcess, signal: NodeJS.Signals): Promise<void> {
    assert.equal(await server.end(signal), 0, server.log());
    assert.equal(server.log(), '');
  }
});

/** Pastes the lines into a shell and returns the id of the booking that they made. */
function paste(lines: readonly string[]): string {
  const { stdout, stderr } = spawnSync('bash', {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    timeout: quicklyMs,
  });
  const [token = '', booking = '', sms = ''] = stdout.split('\n');
  assert.match(token, /^ptl_at_\S+$/, stdout + stderr);
  const made = JSON.parse(booking);
  assert.deepEqual([made.success, made.booking.status], [true, 'pending']);
  assert.deepEqual([JSON.parse(sms).success, JSON.parse(sms).sms.sent], [true, true]);
  return made.booking.id;
}

describe('a start that can’t be is one line and an exit code', { concurrency: true }, () => {
  async function refuses(settings: Readonly<Record<string, string>>, message: RegExp): Promise<void> {
    const startedAt = performance.now();
    const own = { PORT: '0', PITLANE_DATA_DIR: join(folder, 'never'), ...settings };
    const { code, stdout, stderr } = await run(['serve'], own);
    const shown = `${JSON.stringify(settings)}: ${stdout}${stderr}`;
    assert.deepEqual([code, stdout], [1, ''], shown);
    assert.match(stderr, /^pitlane: [^\n]+\n$/, shown);
    assert.match(stderr, message, shown);
    assert.doesNotMatch(stderr, /hunter2/, 'a password');
    assert.ok(performance.now() - startedAt < quicklyMs, `it took too long: ${shown}`);
  }

  test('a setting that can’t be used is named', async () => {
    const bad: readonly (readonly [name: string, value: string])[] = [
      ['PORT', '70000'],
      ['PORT', '80a'],
      ['PITLANE_ROLE', 'boss'],
      ['LOG_LEVEL', 'loud'],
      ['TRUST_PROXY', 'perhaps'],
      ['TRUST_PROXY', '10.0.0.0/99'],
      ['PITLANE_DEMO', 'yes'],
      ['PITLANE_SANDBOX', 'yes'],
      ['PITLANE_DB_POOL', '0'],
      ['SANDBOX_SMS_LATENCY_MS', '-1'],
    ];
    for (const [name, value] of bad) await refuses({ [name]: value }, new RegExp(`${name}=${value} is not `));
  });

  test('a setting that may hold a secret is named, and not repeated', async () => {
    for (const [name, value] of [
      ['PITLANE_SECRET_KEY', 'hunter2'],
      ['DATABASE_URL', 'mysql://u:hunter2@h/d'],
      ['DATABASE_URL', 'hunter2'],
      ['SMTP_URL', 'http://u:hunter2@h'],
    ] as const) {
      await refuses({ [name]: value }, new RegExp(`^pitlane: ${name} must be `));
    }
  });

  test('a public HOST without a gateway, or PITLANE_SANDBOX=on', async () => {
    for (const HOST of ['0.0.0.0', '::', '127.1', 'pitlane.example']) {
      await refuses({ HOST }, /HOST=\S+ is open to others, and no SMS gateway is.*PITLANE_SANDBOX=on/);
    }
    const kannel = {
      PITLANE_SMS_GATEWAYS: 'kannel',
      PITLANE_PUBLIC_URL: 'https://pitlane.example',
      KANNEL_USERNAME: 'u',
      KANNEL_PASSWORD: 'p',
      KANNEL_CALLBACK_TOKEN: '0123456789abcdef',
    };
    await refuses(
      { HOST: '0.0.0.0', ...kannel },
      /open to others, and no mail server is.*PITLANE_SANDBOX=on/,
    );
    // With both, only what comes later can go wrong.
    const both = { ...kannel, SMTP_URL: 'smtp://127.0.0.1:1', DATABASE_URL: 'postgres://u@127.0.0.1:1/d' };
    await refuses({ HOST: '0.0.0.0', ...both }, /can't reach PostgreSQL/);
  });

  test('a port in use, and an address that is none of this machine', async (t) => {
    const { url } = await createTestDatabase();
    const port = String(await portOf(t, () => undefined));
    await refuses(
      { DATABASE_URL: url, PORT: port },
      new RegExp(`port ${port} on 127\\.0\\.0\\.1 is in use.*PORT`),
    );
    const elsewhere = { DATABASE_URL: url, PITLANE_SANDBOX: 'on' };
    await refuses(
      { ...elsewhere, HOST: '203.0.113.7' },
      /can't listen on 203\.0\.113\.7 port 0 \(EADDRNOTAVAIL\)/,
    );
    await refuses({ ...elsewhere, HOST: 'nowhere.invalid' }, /can't listen on nowhere\.invalid port 0/);
  });

  test('a DATABASE_URL that leads nowhere, or is not let in, without its password', async (t) => {
    const { url } = await createTestDatabase();
    const changed = (change: (url: URL) => void) => {
      const other = new URL(url);
      change(other);
      return other.href;
    };
    const silent = await portOf(t, () => undefined);
    const stranger = await portOf(t, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const cases: [string, RegExp][] = [
      ['postgres://u:hunter2@nowhere.invalid/d', /nowhere\.invalid/],
      ['postgres://u:hunter2@127.0.0.1:1/d', /ECONNREFUSED/],
      [`postgres://u:hunter2@127.0.0.1:${silent}/d`, /timeout/],
      [`postgres://u:hunter2@127.0.0.1:${stranger}/d`, /./],
      ['postgres://u:hunter2@127.0.0.1:1/d?sslmode=verify-full&sslrootcert=/hunter3', /no such file/],
      [changed((other) => Object.assign(other, { password: 'hunter2' })), /password authentication failed/],
      [changed((other) => Object.assign(other, { username: 'hunter' })), /password authentication failed/],
      [
        changed((other) => Object.assign(other, { pathname: '/nothere' })),
        /database "nothere" does not exist/,
      ],
    ];
    for (const [databaseUrl, reason] of cases) {
      await refuses(
        { DATABASE_URL: databaseUrl },
        new RegExp(`^pitlane: can't reach PostgreSQL: .*${reason.source}`),
      );
    }
  });

  test('a data folder that is none, or can’t be written', async (t) => {
    const { url } = await createTestDatabase();
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const PITLANE_DATA_DIR of [file, join(file, 'below')]) {
      await refuses({ PITLANE_DATA_DIR }, /the data folder .*file.* is not a folder.*PITLANE_DATA_DIR/);
      await refuses(
        { PITLANE_DATA_DIR, DATABASE_URL: url },
        /the secret key can't be kept.*PITLANE_SECRET_KEY/,
      );
    }
    const key = join(makeFolder(t), 'secret-key');
    writeFileSync(key, 'not a key');
    await refuses({ PITLANE_DATA_DIR: join(key, '..'), DATABASE_URL: url }, /secret-key is not a secret key/);
    if (isRoot) return;
    const closed = makeFolder(t);
    chmodSync(closed, 0o555);
    await refuses({ PITLANE_DATA_DIR: closed }, /can't be used by this user.*PITLANE_DATA_DIR/);
  });

  test('a failed start leaves no PostgreSQL behind', async (t) => {
    const own = await usedDataDir(t);
    const port = String(await portOf(t, () => undefined));
    await refuses({ PITLANE_DATA_DIR: own, PORT: port }, /is in use/);
    assert.throws(() => postmasterOf(own), /ENOENT/);
  });
});

/** The port of a server that takes connections and does this with them. */
async function portOf(t: TestContext, meet: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    meet(socket);
  }).listen(0, '127.0.0.1');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
