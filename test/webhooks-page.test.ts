/** The receivers of docs/webhooks.md, run as they stand: they accept what is signed, and nothing else. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { actionNames } from '#product/webhooks/actions.ts';
import { webhookWorld } from './fixtures/webhooks.ts';
import { send } from './harness/http.ts';

const page = readFileSync(new URL('../docs/webhooks.md', import.meta.url), 'utf8');
const { app, book, register, log, partner } = await webhookWorld();

function block(language: string): string {
  const code = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1];
  assert.ok(code, `there is no receiver in ${language}`);
  return code;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

/** The next line that it prints. */
async function startReceiver(t: TestContext, command: string, name: string, code: string, env: object) {
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-receiver-'));
  const file = join(folder, name);
  writeFileSync(file, code);
  const child = spawn(command, [file], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.after(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
    rmSync(folder, { recursive: true });
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return async () => (await lines.next()).value;
}

const hasPython = spawnSync('python3', ['--version']).status === 0;

for (const [name, command, language, file, skip] of [
  ['Node', process.execPath, 'js', 'receiver.mjs', false],
  ['Python', 'python3', 'python', 'receiver.py', hasPython ? false : 'python3 is not installed'],
] as const) {
  test(`the receiver in ${name}`, { skip }, async (t) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const { webhook, secret } = await register(url, { actions: ['bookingCreate'] });
    const env = { PORT: String(port), WEBHOOK_SECRET: secret };
    const nextLine = await startReceiver(t, command, file, block(language), env);
    assert.equal(await nextLine(), 'ready');
    await book();
    await app.drain();
    assert.equal(await nextLine(), 'bookingCreate');
    await partner.call('POST', `/webhooks/${webhook.id}/rotate-secret`);
    await book();
    await app.drain();
    assert.equal(await nextLine(), 'bookingCreate', 'the old secret signs too');
    const statuses = (await log(webhook.id)).map(({ attempts }) =>
      attempts.map((each) => each.responseStatus),
    );
    assert.deepEqual(statuses, [[204], [204]]);

    const headers = {
      'webhook-id': 'x',
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      'webhook-signature': 'v1,AAAA',
    };
    assert.equal((await send(url, 'POST', { headers, body: { action: 'bookingCreate' } })).status, 401);
    assert.equal((await send(url, 'POST', { body: {} })).status, 401);
    await partner.call('DELETE', `/webhooks/${webhook.id}`);
  });
}

test('every action stands on the page', () => {
  for (const name of actionNames) assert.match(page, new RegExp(`\`${name}\``));
});
