/** The first experience of a new operator: the first start and its page, the second start, and a start at a public address. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { readOwner } from '#platform/db/embedded/owner.ts';
import { usualWithEmbedded } from '#platform/db/pool.ts';
import { fail, json } from './command-line/run.ts';
import { query, usedDataDir } from './fixtures/embedded.ts';
import { send } from './harness/http.ts';
import { scratchFolder } from './harness/scratch.ts';
import { type ServerProcess, type Started, startServer, startWithPage } from './harness/server.ts';

const shell = ['bash', 'curl'].every((name) => spawnSync(name, ['--version']).status === 0);

const folder = mkdtempSync(join(scratchFolder(), 'pitlane start '));
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

  test('the first start prints a page; its addresses respond, and its three lines work as pasted', async (t) => {
    const server = await startWithPage(t, env);
    const { page } = server;
    // Lines of the log may come before it.
    const printed = page.slice(page.indexOf('Pitlane is ready'));
    assert.ok(printed.split('\n').length < 40, 'more than a page');
    const url = /ready at (\S+)/.exec(page)?.[1] ?? '';
    const addresses: readonly string[] = page.match(/http:\/\/[^\s)']+/g) ?? [];
    for (const path of ['/docs', '/openapi.json', '/sandbox', '/health/ready', '/metrics']) {
      assert.ok(addresses.includes(`${url}${path}`), `${path} is not on the page`);
      assert.equal((await send(`${url}${path}`, 'GET')).status, 200, path);
    }
    const bookingPage = addresses.find((address) => address.includes('/book/yarra-street-motors?k='));
    assert.equal((await send(bookingPage ?? '', 'GET')).status, 200, 'the booking page of the demo');
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
    const open = await query(
      readOwner(dataDir)?.url ?? '',
      `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'pitlane %'`,
    );
    assert.ok(open.length <= usualWithEmbedded, `${open.length} connections after the warm-up`);
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

  test('with a real gateway the demo partner is refused: a proxy may be in front', async (t) => {
    const kannel = {
      ...{
        PITLANE_SMS_GATEWAYS: 'kannel',
        PITLANE_PUBLIC_URL: 'https://pitlane.example',
        KANNEL_USERNAME: 'u',
      },
      ...{ KANNEL_PASSWORD: 'p', KANNEL_CALLBACK_TOKEN: '0123456789abcdef' },
    };
    const server = await startServer(t, { ...env, ...kannel });
    assert.equal(server.partnerId, null);
    const answer = await signIn({ ...demo, url: server.url });
    assert.deepEqual([answer.status, answer.body.errorCode], [401, '010003']);
    await assertStops(server, 'SIGTERM');
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

/** Pastes the lines into a shell and returns the id of the booking that they created. */
function paste(lines: readonly string[]): string {
  const { stdout, stderr } = spawnSync('bash', {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    timeout: 60_000,
  });
  const [token = '', booking = '', sms = ''] = stdout.split('\n');
  assert.match(token, /^ptl_at_\S+$/, stdout + stderr);
  const made = JSON.parse(booking);
  assert.deepEqual([made.success, made.booking.status], [true, 'pending']);
  assert.deepEqual([JSON.parse(sms).success, JSON.parse(sms).sms.sent], [true, true]);
  return made.booking.id;
}
