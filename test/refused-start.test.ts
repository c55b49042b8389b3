/** Refused starts: each is one line on standard error and an exit code, within seconds. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { nameKey } from '#platform/key-fingerprint/store.ts';
import { runAlone, runHere } from './command-line/run.ts';
import { isRoot, makeFolder, postmasterOf, usedDataDir } from './fixtures/embedded.ts';
import { createTestDatabase } from './harness/database.ts';
import { scratchFolder } from './harness/scratch.ts';

/** A failing start may have to wait for a connection's five seconds; this is far more than it takes on a busy machine. */
const quicklyMs = 60_000;

const folder = mkdtempSync(join(scratchFolder(), 'pitlane start '));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('a start that can’t be is one line and an exit code', { concurrency: 2 }, () => {
  async function refuses(
    settings: Readonly<Record<string, string>>,
    message: RegExp,
    how = runHere,
  ): Promise<void> {
    const startedAt = performance.now();
    const own = { PORT: '0', PITLANE_DATA_DIR: join(folder, 'never'), ...settings };
    const { code, stdout, stderr } = await how(['serve'], own);
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

  test('more connections than the embedded PostgreSQL has', async () => {
    await refuses(
      { PITLANE_DB_POOL: '101' },
      /PITLANE_DB_POOL=101 is more .* 100 at most, or set DATABASE_URL/,
    );
  });

  test('webhooks into this network, on an address that is open to others', async () => {
    const open = { HOST: '0.0.0.0', PITLANE_SANDBOX: 'on', PITLANE_WEBHOOKS_ALLOW_PRIVATE: 'on' };
    await refuses(open, /PITLANE_WEBHOOKS_ALLOW_PRIVATE=on is for development/);
  });

  test('a setting that may hold a secret is named, and not repeated', async () => {
    for (const [name, value] of [
      ['PITLANE_SECRET_KEY', 'hunter2'],
      ['DATABASE_URL', 'mysql://u:hunter2@h/d'],
      ['DATABASE_URL', 'hunter2'],
      ['SMTP_URL', 'http://u:hunter2@h'],
    ] as const) {
      const sender = name === 'SMTP_URL' ? { PITLANE_MAIL_FROM: 'desk@garage.example' } : {};
      await refuses({ [name]: value, ...sender }, new RegExp(`^pitlane: ${name} must be `));
    }
  });

  test('a mail server without a sender', async () => {
    await refuses(
      { SMTP_URL: 'smtp://127.0.0.1:1' },
      /^pitlane: PITLANE_MAIL_FROM must be set with SMTP_URL/,
    );
  });

  test('a public HOST without a gateway, or PITLANE_SANDBOX=on', async () => {
    for (const HOST of ['0.0.0.0', '::', '127.1', 'pitlane.example']) {
      await refuses(
        { HOST },
        /HOST=\S+ is open .* \(PITLANE_SMS_GATEWAYS\) and .* \(SMTP_URL\): .*PITLANE_SANDBOX=on/,
      );
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
      /open to others and needs a mail server \(SMTP_URL\): .*PITLANE_SANDBOX=on/,
    );
    // With both, only what comes later can go wrong.
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', PITLANE_MAIL_FROM: 'noreply@example.com' };
    const both = { ...kannel, ...mail, DATABASE_URL: 'postgres://u@127.0.0.1:1/d' };
    await refuses({ HOST: '0.0.0.0', ...both }, /can't reach PostgreSQL/);
  });

  test('a secret key that is not the one of the database', async () => {
    const { db, url } = await createTestDatabase();
    await nameKey(db, { current: '0'.repeat(32), former: [] });
    await refuses(
      { DATABASE_URL: url, PITLANE_SECRET_KEY: 'ab'.repeat(32) },
      /PITLANE_SECRET_KEY \(fingerprint [0-9a-f]{8}\) is another secret key .* \(fingerprint 00000000\)/,
    );
  });

  test('a port in use, and an address of another machine', async (t) => {
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

  test('a path that is no data folder, or can’t be written', async (t) => {
    const { url } = await createTestDatabase();
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const PITLANE_DATA_DIR of [file, join(file, 'below')]) {
      await refuses({ PITLANE_DATA_DIR }, /the data folder .*file.* is not a folder/);
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
    // The migrations of a new folder are logged before.
    const env = { PITLANE_DATA_DIR: own, PORT: port, LOG_LEVEL: 'warn' };
    await refuses(env, /is in use/, runAlone);
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
