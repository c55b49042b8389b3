/** Bodies of strangers: refused before they are read where that can be known, short, within one limit of memory, and in time. */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { kannelCallbacks } from '#platform/gateways/sms/kannel-callbacks.ts';
import { routed } from '#platform/gateways/sms/router.ts';
import { twilioCallbacks } from '#platform/gateways/sms/twilio/callbacks.ts';
import { baseOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { parseResponse, rawRequest } from '../../../test/fixtures/raw-http.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { openCrowd } from '../../../test/fixtures/sockets.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { until } from '../../../test/harness/wait.ts';
import {
  bookingBody,
  linkedWorkshop,
  type SignedInPartner,
  signedInPartner,
} from '../../../test/harness/world.ts';

const token = 'a-token-of-16-or-more';
const app = await startTestApp({
  gateways: ({ sms }) => ({
    sms: routed([
      { ...sms, name: 'kannel', callbacks: kannelCallbacks(token) },
      { ...sms, name: 'twilio', callbacks: twilioCallbacks(token, 'https://pitlane.example') },
      { ...sms, name: 'silent' },
    ]),
  }),
});
const [one, two] = [await signedInPartner(app), await signedInPartner(app)];
const workshopId = await linkedWorkshop(app, [one, two]);

const head = (path: string, length: number | null, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`}\r\n${more}\r\n`;
const json = 'Content-Type: application/json\r\n';
const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
const close = 'Connection: close\r\n';
const signed = 'X-Twilio-Signature: x\r\n';
const bearer = ({ token: own, partnerId }: SignedInPartner) =>
  `Authorization: Bearer ${own}\r\nX-Partner-ID: ${partnerId}\r\n${json}`;
const chunkOf = (bytes: number) => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;

test('who can not be the gateway, and an unknown path, is answered 404 before the body comes', async () => {
  for (const path of [
    '/gateways/nobody/reports',
    '/gateways/silent/reports',
    '/gateways/kannel/reports',
    '/gateways/kannel/inbound?token=another-token-of-its-own',
    '/gateways/twilio/callbacks',
    '/nowhere',
    '/v1/nowhere',
  ]) {
    for (const length of [50_000_000, null]) {
      const answer = await rawRequest(app.url, head(path, length, json + close));
      assert.deepEqual([answer.status, answer.body.errorCode], [404, '000002'], path);
      assert.equal(answer.headers.get('x-request-id'), answer.body.requestId);
    }
  }
});

test('413 for more than 4 KiB to /auth, 32 KiB to a page, 64 KiB from a gateway; announced or not', async () => {
  for (const [path, type, kib] of [
    ['/auth/token', json, 4],
    ['/v1/auth/refresh', json, 4],
    ['/book/nobody', form, 32],
    ['/gateways/twilio/inbound', signed, 64],
    [`/gateways/kannel/inbound?token=${token}`, '', 64],
  ] as const) {
    for (const text of [
      head(path, kib * 1024 + 1, type + close),
      head(path, null, type + close) + chunkOf(kib * 1024) + chunkOf(1),
    ]) {
      const { status, body } = await rawRequest(app.url, text);
      assert.equal(status, 413, path);
      if (type !== form) assert.match(body.message, new RegExp(` ${kib} KiB$`));
    }
  }
  const { status } = await rawRequest(
    app.url,
    head('/auth/token', 4 * 1024, json + close) + 'x'.repeat(4_096),
  );
  assert.equal(status, 400);
});

const hasEnded = ({ readableEnded, closed }: Socket) => readableEnded || closed;

/** What each socket has received by now. */
function received(sockets: readonly Socket[]): string[] {
  const texts = sockets.map(() => '');
  for (const [n, socket] of sockets.entries()) {
    socket.setEncoding('latin1').on('data', (part) => {
      texts[n] = `${texts[n]}${part}`;
    });
  }
  return texts;
}

test('bodies of strangers that do not end share one limit: the oldest get 503 000007, and those of partners stay (specification: Limits 4)', async () => {
  const narrow = await secondApp(app, { limits: { strangersUnreadAtMostBytes: 200_000 } });
  const part = 'x'.repeat(40_000);
  const known = [bearer(one), bearer(two)].map((more) => head('/bookings', 60_000, more) + part);
  const own = await Promise.all(known.map((text) => openCrowd(narrow.url, 2, text)));
  const kannel = await openCrowd(
    narrow.url,
    1,
    head(`/gateways/kannel/reports?token=${token}`, 60_000) + part,
  );
  const strangers: Socket[] = [];
  const texts: string[][] = [];
  // Each counts with the 60,000 bytes that are kept free for it.
  for (let n = 0; n < 3; n++) {
    for (const text of [
      head('/gateways/twilio/inbound', 60_000, signed) + part,
      head('/book/nobody', null, form) + chunkOf(15_000) + chunkOf(15_000),
    ]) {
      const { sockets } = await openCrowd(narrow.url, 1, '');
      texts.push(received(sockets));
      strangers.push(...sockets);
      sockets[0]?.write(text);
      // Answered, it has read what came before.
      assert.equal((await narrow.request('GET', '/health/live')).status, 200);
    }
  }
  const ended = () => strangers.filter(hasEnded).length;
  await until('two have ended', async () => ended() >= 2);
  const answers = texts.flat().filter((text) => text !== '');
  assert.equal(answers.length, ended(), 'and no other is answered');
  for (const text of answers) assert.match(text, /^HTTP\/1\.1 503 /);
  const first = parseResponse(texts[0]?.[0] ?? '');
  assert.deepEqual([first.status, first.body.errorCode], [503, '000007']);
  assert.deepEqual([first.headers.get('connection'), first.headers.get('retry-after')], ['close', '1']);
  assert.equal(texts.at(-1)?.[0], '', 'the last one is still read');
  for (const socket of [...own.flatMap(({ sockets }) => sockets), ...kannel.sockets])
    assert.equal(socket.readyState, 'open');
  const headers = { authorization: `Bearer ${one.token}`, 'x-partner-id': one.partnerId };
  const body = bookingBody(workshopId, { unknown: 'x'.repeat(200_000) });
  assert.equal((await narrow.request('POST', '/bookings', { headers, body })).status, 201);
});

test('bodies of partners share another limit fairly: one partner pushes out its own alone (specification: Limits 4)', async () => {
  const narrow = await secondApp(app, { limits: { knownUnreadAtMostBytes: 200_000 } });
  const part = 'x'.repeat(40_000);
  const modest = await openCrowd(narrow.url, 1, head('/bookings', 60_000, bearer(two)) + part);
  const greedy: Socket[] = [];
  const texts: string[][] = [];
  for (let n = 0; n < 4; n++) {
    const { sockets } = await openCrowd(narrow.url, 1, '');
    texts.push(received(sockets));
    greedy.push(...sockets);
    sockets[0]?.write(head('/bookings', 60_000, bearer(one)) + part);
    if (n > 0) await until('they have ended', async () => greedy.filter(hasEnded).length >= n);
  }
  const answers = texts.flat().filter((text) => text !== '');
  assert.equal(answers.length, 3, 'one is still read');
  for (const text of answers) assert.match(text, /^HTTP\/1\.1 503 /);
  const [left, answer] = [modest.sockets[0], received(modest.sockets)];
  left?.write('x'.repeat(20_000));
  await until('it is answered', async () => answer[0] !== '');
  assert.match(answer[0] ?? '', /^HTTP\/1\.1 400 /, 'it was read to its end, and is no JSON');
});

test('uploads of a session that do not end push out its own alone: no form of a customer, no upload of another session (specification: Limits 4)', async () => {
  const narrow = await secondApp(app, {
    limits: { strangersUnreadAtMostBytes: 200_000, sessionsUnreadAtMostBytes: 200_000 },
  });
  const path = `${await baseOf(app, workshopId)}/import`;
  const [greedy, modest] = [await signedInPerson(app, [workshopId]), await signedInPerson(app, [workshopId])];
  const sent = async (text: string) => {
    const { sockets } = await openCrowd(narrow.url, 1, '');
    const [answer, socket] = [received(sockets), sockets[0]];
    socket?.write(text);
    assert.equal((await narrow.request('GET', '/health/live')).status, 200);
    return { answer, socket };
  };
  const file = (by: string) =>
    head(
      path,
      60_000,
      `Cookie: ${by}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: multipart/form-data; boundary=x\r\n`,
    ).replace('Host: x', 'Host: localhost') + 'x'.repeat(40_000);
  const half = await sent(`${head('/book/nobody', 20_000, form)}name=Kim`);
  half.socket?.write('x'.repeat(9_000));
  const own = await sent(file(modest.cookie));
  // Each is read before the next is sent: its session is looked up first.
  const { sockets } = await openCrowd(narrow.url, 20, '');
  const answers = received(sockets);
  const ended = () => answers.filter((text) => text.startsWith('HTTP/1.1 503 ')).length;
  for (const socket of sockets) socket.write(file(greedy.cookie));
  await until('18 refusals', () => ended() >= 18);
  assert.equal(ended(), 18, 'two have room beside the other session');
  assert.deepEqual([half.answer[0], own.answer[0]], ['', '']);
  half.socket?.write('x'.repeat(20_000 - 9_000 - 'name=Kim'.length));
  await until('the answer to the form', () => half.answer[0] !== '');
  assert.match(half.answer[0] ?? '', /^HTTP\/1\.1 422 /, 'it was read to its end: a name is not as long');
  own.socket?.write('x'.repeat(20_000));
  await until('the answer to the file', () => own.answer[0] !== '');
  assert.match(own.answer[0] ?? '', /^HTTP\/1\.1 400 /, 'and so was the file, which is not one');
});

test('a body that never ends is given up: 408, and the connection ends', async () => {
  const impatient = await secondApp(app, {
    limits: { checkEveryMs: 50, headersWithinMs: 300, requestWithinMs: 300 },
  });
  const part = 'x';
  await Promise.all(
    [
      head('/gateways/twilio/inbound', 60_000, signed) + part,
      head(`/gateways/kannel/reports?token=${token}`, null) + chunkOf(1),
      head('/book/nobody', 30_000, form) + part,
      head('/auth/token', null, json) + chunkOf(1),
      head('/bookings', 100_000, bearer(one)) + part,
    ].map(async (text) => assert.equal((await rawRequest(impatient.url, text)).status, 408)),
  );
  await until('no connection is open', async () => (await impatient.connections()) === 0);
});
