/** What a server prints: where messages go and what looks like a mistake, its log for people or programs, and that it has stopped. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createLog } from '#base/log.ts';
import { readable } from '#base/readable-log.ts';
import { createTestDatabase } from './harness/database.ts';
import { send } from './harness/http.ts';
import { startServer, startWithLog, startWithPage } from './harness/server.ts';

const { url } = await createTestDatabase();
const settings = {
  DATABASE_URL: url,
  PITLANE_SECRET_KEY: randomBytes(32).toString('hex'),
  PITLANE_ROLES: 'api',
  SMTP_PASSWORD: 'hunter2',
  LOG_LEVEL: 'info',
};
const warnings = [
  'PITLANE_ROLES is no setting: did you mean PITLANE_ROLE?',
  'SMTP_PASSWORD: not looked at without SMTP_URL',
];

test('--json: one object with gateways and warnings; the log, for people, says requests and the stop', async (t) => {
  const server = await startServer(t, { ...settings, LOG_FORMAT: 'text' });
  const { gateways, settingsFile, warnings: warned } = server as unknown as Record<string, unknown>;
  assert.deepEqual([gateways, settingsFile, warned], [{ sms: [], email: null }, '/dev/null', warnings]);
  await send(`${server.url}/health/live`, 'GET');
  assert.equal(await server.end('SIGTERM'), 0);
  const lines = server.log().trim().split('\n');
  for (const line of lines) assert.match(line, /^\[\d\d:\d\d:\d\d\] INFO: /);
  assert.match(server.log(), /INFO: request \{.*"route":"\/health\/live","status":200/);
  assert.match(lines.at(-2) ?? '', /stopping: what is under way is finished first$/);
  assert.match(lines.at(-1) ?? '', /stopped$/);
});

test('the page of a start has them too', async (t) => {
  const server = await startWithPage(t, settings);
  const { page } = server;
  assert.match(
    page,
    /\n {2}SMS {13}the sandbox: nothing is sent\n {2}E-mail {10}the sandbox: nothing is sent\n/,
  );
  assert.ok(page.includes(`\n\n${warnings.map((warning) => `Warning: ${warning}\n`).join('')}\n`), page);
  assert.doesNotMatch(page, /hunter2/);
  assert.equal(await server.end('SIGTERM'), 0);
});

test('a log of JSON has one line in place of the page, warnings of level 40, and the migrations that were applied', async (t) => {
  const empty = await createTestDatabase();
  await empty.db.query('DROP SCHEMA public CASCADE');
  await empty.db.query('CREATE SCHEMA public');
  const onAll = { ...settings, DATABASE_URL: empty.url, HOST: '0.0.0.0', PITLANE_SANDBOX: 'on' };
  const server = await startWithLog(t, onAll);
  const { lines } = server;
  const warned = lines.filter(({ level }) => level === 40).map(({ msg }) => msg);
  assert.deepEqual(
    warned.filter((msg) => !String(msg).startsWith('PITLANE_P')),
    warnings.filter((msg) => !msg.startsWith('PITLANE_P')),
  );
  const applied = lines.find((line) => 'migrations' in line);
  assert.match(String(applied?.['msg']), /^\d+ migrations were applied$/);
  assert.match(String(applied?.['migrations']), /^0001_core\.sql,/);
  const ready = lines.at(-1) ?? {};
  const { port, host, url } = ready;
  assert.equal(ready['msg'], `Pitlane is ready at all addresses, port ${port} (here: ${url})`);
  assert.deepEqual([ready['level'], host], [30, '0.0.0.0']);
  assert.equal((await send(`${url}/health/live`, 'GET')).status, 200);
  assert.doesNotMatch(JSON.stringify(lines), /hunter2|ptl_secret/);
  const nothing = 'the sandbox: nothing is sent';
  assert.deepEqual([ready['smsOutlet'], ready['mailOutlet']], [nothing, nothing]);
  assert.equal(await server.end('SIGTERM'), 0);
});

test('a line for people has what the JSON has, and names no customer', async () => {
  const stream = new PassThrough();
  const log = createLog('info', readable(stream));
  log.warn({ phone: '+61491570006', err: new Error('no SMS to +61491570006') }, 'a message is given up');
  if (stream.readableLength === 0) await once(stream, 'readable');
  const line = String(stream.read());
  assert.match(line, /^\[\d\d:\d\d:\d\d\] WARN: a message is given up/);
  assert.match(line, /no SMS to …/);
  assert.doesNotMatch(line, /491570006/);
  log.warn({ detail: 'b\u202ec' }, 'a\u001b[2J\u009b');
  if (stream.readableLength === 0) await once(stream, 'readable');
  const hostile = String(stream.read());
  assert.ok(hostile.includes('WARN: a\\u001b[2J\\u009b'), hostile);
  assert.doesNotMatch(hostile, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
});
