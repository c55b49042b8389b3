/** The examples of README.md and docs/partner-guide.md, run as a newcomer would paste them, one block after the other. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensureDemo } from '../src/operation/demo/demo.ts';
import { startTestApp, type TestApp } from './harness/app.ts';
import { childEnvironment } from './harness/child.ts';
import { sandboxGateways } from './harness/sandbox.ts';
import { scratchFolder } from './harness/scratch.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const guide = readFileSync(join(root, 'docs/partner-guide.md'), 'utf8');
const testing = readFileSync(join(root, 'docs/testing.md'), 'utf8');

function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, code = '']) => code,
  );
}

function section(text: string, heading: string): string {
  const found = text.split(/^## /m).find((part) => part.startsWith(heading));
  assert.ok(found, `there is no section ${heading}`);
  return found;
}

/** As `npm start` makes it: the demo, and gateways that show what they were given. */
async function startDemo(): Promise<TestApp> {
  const app = await startTestApp({ gateways: sandboxGateways });
  await ensureDemo(app.context);
  return app;
}

/** Stops at the first call that is refused. `npx pitlane` is this project's, without npm's second of start. */
const preamble = `set -eu; shopt -s inherit_errexit
curl() { command curl --fail-with-body "$@"; }
npx() { shift; "$NODE" src/main.ts "$@"; }
`;

async function runShell(app: TestApp, code: readonly string[]): Promise<string> {
  assert.ok(code.length > 0);
  const text = code.join('\n').replaceAll('http://localhost:3000', app.url);
  // Expected failures (`# 401`) must not abort the script.
  const script = preamble + text.replaceAll(/^(.+?) +# 401$/gm, '$1 || true');
  const env = childEnvironment({ NODE: process.execPath, DATABASE_URL: app.databaseUrl });
  const { stdout } = await run('bash', ['-c', script], { cwd: root, env }).catch((error) => {
    throw new Error(`an example failed:\n${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}

async function sandboxShows(app: TestApp, wanted: RegExp): Promise<void> {
  await app.drain();
  const { body } = await app.request('GET', '/sandbox/messages?limit=100');
  assert.match(JSON.stringify(body.messages), wanted);
}

test("README: a partner's first five minutes", async () => {
  const app = await startDemo();
  const shown = await runShell(app, blocks(section(readme, "A partner's"), 'sh'));
  assert.match(shown, /"status":"pending"/);
  assert.match(shown, /"sent":true/);
  assert.match(shown, /"advanceSeconds":172800/);
  assert.match(
    shown,
    /"errorCode":"010000","message":"The access token has expired.*"workshops":\[\{[^\n]+\n$/s,
  );
  await sandboxShows(app, /we have received your booking/);
});

test("README: an operator's first five minutes", async () => {
  const app = await startTestApp();
  const shown = await runShell(app, blocks(section(readme, "An operator's"), 'sh'));
  assert.match(shown, /the link of partner .* is on/);
  assert.match(shown, /template .* is published/);
  assert.match(shown, /workshops +1/);
});

test('partner guide: the examples in a shell', async () => {
  const app = await startDemo();
  const shown = await runShell(app, blocks(guide, 'sh'));
  assert.match(shown, /"catalogCode":"logbook"/);
  assert.match(shown, /"localTime":"07:30","remaining":3/);
  assert.match(shown, /"url":"[^"]+\/book\/yarra-street-motors\?k=[\w-]+","expiresAt":null/);
  assert.match(shown, /"url":"[^"]+","expiresAt":"20/);
  assert.match(shown, /"externalId":"order-1001"/);
  assert.match(shown, /"jobNotes":\["Check the brake pads"\]/);
  assert.match(shown, /"referenceId":"pickup-1001","sms":\{"sent":true/);
  assert.match(shown, /"referenceId":"call-us-1001","status":"scheduled"/);
  assert.match(shown, /"status":"scheduled","scheduledAt":"2030-05-01T00:00:00.000Z"/);
  assert.match(shown, /"reason":"temporarilyRefused".*"referenceId":"try-1","sms":\{"sent":true/s);
  assert.match(shown, /"status":"sent".*"sms":\{"sent":true/);
  assert.match(shown, /"status":"cancelled","dueDate":"2036-03-02T23:00:00.000Z"/);
  assert.match(shown, /"newBookingId":"[0-9a-f-]{36}".*"status":"booked"/);
  assert.match(shown, /"callerPhone":"\+61491571266".*"outcome":"missed","source":"google-ads"/);
  await sandboxShows(app, /your Toyota Corolla \(ABC123\) is ready/);
  await sandboxShows(app, /has moved to/);
});

test('partner guide: free times are found on whatever day it is read', async () => {
  const app = await startDemo();
  const before = ['# Partner guide', 'Signing in', 'Your workshops'].map((heading) =>
    section(guide, heading),
  );
  const shell = [...before, section(guide, 'What a workshop offers')].flatMap((text) => blocks(text, 'sh'));
  for (let times = 0; times < 2; times++) {
    const explained = (await runShell(app, shell)).trim().split('\n').at(-1) ?? '';
    const { days } = JSON.parse(explained);
    const offered = days.flatMap(({ slots }: { slots: { localTime: string; remaining: number }[] }) => slots);
    assert.deepEqual([days.length, offered.at(-1)?.remaining], [7, 3]);
    assert.match(explained, /"localTime":"12:30","reason":"break"/);
    assert.doesNotMatch(explained, /"reason":"horizon"/);
    app.advance(401 * 86_400);
  }
});

/** Writes the code into a file of its own and returns its path. */
function fileOf(t: TestContext, name: string, code: string): string {
  const folder = mkdtempSync(join(scratchFolder(), 'pitlane-guide-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), code);
  return join(folder, name);
}

test('testing: the test that is shown passes', async (t: TestContext) => {
  const [code = ''] = blocks(testing, 'ts');
  const file = fileOf(t, 'shown.test.ts', code.replaceAll("'../../", `'${root}`));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', file], { env });
  assert.match(stdout, /^# pass 1$/m);
});
