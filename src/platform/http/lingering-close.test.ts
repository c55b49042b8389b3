/** A response that comes before the body has: its client reads it all the same, and the connection ends. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseResponse } from '../../../test/fixtures/raw-http.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { startTestApp } from '../../../test/harness/app.ts';

const app = await startTestApp();

const head = (line: string, length: number | null) =>
  `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n${length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`}\r\n\r\n`;

/** Sends all parts, and reads nothing before they are sent. Rejects when the connection is reset. */
async function sendThenRead(url: string, parts: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }).pause();
  const failed = new Promise<never>((_, reject) => socket.on('error', reject));
  const write = (part: string) =>
    new Promise<void>((resolve, reject) =>
      socket.write(part, (error) => (error ? reject(error) : resolve())),
    );
  await Promise.race([Promise.all(parts.map(write)), failed]);
  let text = '';
  socket
    .setEncoding('utf8')
    .on('data', (more) => {
      text += more;
    })
    .resume();
  await Promise.race([new Promise((resolve) => socket.on('end', resolve)), failed]);
  socket.end();
  return text;
}

test('refused before its body has come: whoever sends it all, in pieces, reads the answer', async () => {
  // Long enough for any machine.
  const patient = await secondApp(app, { limits: { drainMs: 60_000 } });
  // More than the buffers of both ends hold, so that its client is still sending when the answer comes.
  const piece = 'x'.repeat(256 * 1024);
  const pieces = Array.from({ length: 48 }, () => piece);
  const chunks = [...pieces.map((each) => `${each.length.toString(16)}\r\n${each}\r\n`), '0\r\n\r\n'];
  for (const [line, status] of [
    ['POST /auth/token', 413],
    ['GET /workshops', 413],
    ['PUT /bookings/none', 413],
    ['POST /nowhere', 404],
  ] as const) {
    for (const parts of [
      [head(line, pieces.length * piece.length), ...pieces],
      [head(line, null), ...chunks],
    ]) {
      const answer = parseResponse(await sendThenRead(patient.url, parts));
      assert.equal(answer.body.success, false, line);
      assert.ok([status, 401].includes(answer.status), `${line} ${answer.status}`);
    }
  }
});

test('a client that sends no end of it is cut off', async () => {
  const impatient = await secondApp(app, { limits: { drainMs: 50 } });
  const { hostname, port } = new URL(impatient.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  let isClosed = false;
  socket
    .on('error', () => undefined)
    .on('close', () => {
      isClosed = true;
    });
  socket.write(head('POST /nowhere', 1_000_000_000));
  while (!isClosed) {
    if (socket.writable) socket.write('x'.repeat(1_000));
    await sleep(1);
  }
  assert.equal(await impatient.connections(), 0);
});
