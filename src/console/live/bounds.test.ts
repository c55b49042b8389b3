/** How many streams there may be, and what they cost. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '#base/values/id.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { openStream } from '../../../test/fixtures/event-stream.ts';
import { streamsAt, watchedWorkshop } from '../../../test/fixtures/live.ts';
import { signedInPerson } from '../../../test/fixtures/office.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { openCrowd } from '../../../test/fixtures/sockets.ts';
import { atEnd } from '../../../test/harness/clean-up.ts';
import { until } from '../../../test/harness/wait.ts';
import { unreadAtMostBytes } from './stream.ts';
import { createStreams } from './streams.ts';

const { app, workshopId, path, kim, opened, book } = await watchedWorkshop();

test('a session has eight, and a process as many as it is allowed: then 429 and 503, with when to ask (specification: The console 13)', async () => {
  const small = await secondApp(app, { limits: { streamsAtMost: 9 } });
  const open = await Promise.all(Array.from({ length: 8 }, () => opened(kim, small.url)));
  const more = await openStream(small.url, kim.cookie, path);
  assert.deepEqual([more.status, more.headers['retry-after']], [429, '15']);
  const ann = await signedInPerson(app, [workshopId]);
  const anns = await opened(ann, small.url);
  const full = await openStream(small.url, ann.cookie, path);
  assert.deepEqual([full.status, full.headers['retry-after']], [503, '15']);
  for (const stream of [anns, ...open.slice(1)]) stream.close();
  await until('closed streams still count', async () => (await streamsAt(small.url)) === 1);
  await opened(kim, small.url);
  await small.close();
});

test('opened and dropped in floods, with and without a session, they leave nothing behind', async () => {
  const flooded = await secondApp(app);
  for (let round = 0; round < 3; round++) {
    const asked = (cookie: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\n\r\n`;
    const crowds = await Promise.all([
      openCrowd(flooded.url, 30, asked(kim.cookie)),
      openCrowd(flooded.url, 30, asked('pitlane=none')),
      // A further request behind a stream ends it.
      openCrowd(flooded.url, 30, asked(kim.cookie).repeat(3)),
    ]);
    await Promise.all(crowds.map((crowd) => crowd.end()));
  }
  await until('streams are left', async () => (await streamsAt(flooded.url)) === 0);
  const stream = await opened(kim, flooded.url);
  await stream.hears('booking', await book());
  await flooded.close();
});

test('they hold no permit, and no connection of the API’s is closed for them, nor they for one', async () => {
  const limits = { permitsAtMost: 3, connectionsAtMost: 4 };
  const tight = await secondApp(app, { limits });
  const open: Awaited<ReturnType<typeof opened>>[] = [];
  // Each counts as a connection until it is a stream.
  while (open.length < 6) open.push(await opened(kim, tight.url));
  const crowd = await openCrowd(tight.url, 8, 'GET /console/sign-in HTTP/1.1\r\nHost: a\r\n\r\n');
  const { status } = await tight.request('GET', '/console/sign-in');
  assert.equal(status, 200);
  const id = await book();
  await Promise.all(open.map((stream) => stream.hears('booking', id)));
  await crowd.end();
  await tight.close();
});

test('no request takes as long as a stream: it is in no histogram', async () => {
  const stream = await opened(kim);
  stream.close();
  const refused = await openStream(app.url, '', path);
  assert.equal(refused.status, 401);
  await until('the refusal is not counted', async () => {
    const text = await (await fetch(`${app.url}/metrics`)).text();
    const counts = text.match(/^http_request_duration_seconds_count\{.*changes.*$/gm) ?? [];
    assert.ok(!counts.some((line) => line.includes('status="200"')), counts.join('\n'));
    return counts.some((line) => line.includes('status="401"'));
  });
});

test('a client that reads nothing is let go with 64 KB unread (specification: The console 13)', async () => {
  const streams = createStreams({ streamsAtMost: 10, streamsOfSessionAtMost: 10 });
  const standing = {
    sessionId: newId(),
    workshopId,
    role: 'owner',
    mayText: true,
    seesPhones: true,
  } as const;
  const server = createServer((_, response) => streams.open(response.writeHead(200), standing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => void server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'readable');
  const [stream] = streams.all();
  assert.ok(stream);
  const message = Buffer.alloc(8_192, 'x');
  let sent = 0;
  // What the machine's own buffers take is not counted.
  for (; streams.all().length > 0 && sent < 64 * 1024 * 1024; sent += message.length) {
    stream.send(message);
    if (sent % unreadAtMostBytes === 0) await pause(1);
  }
  assert.deepEqual(streams.all(), []);
  socket.destroy();
});

test('200 silent streams take as many statements as one, and none of them takes none (specification: The console 14)', async () => {
  let statements = 0;
  const own = openDatabase({ url: app.databaseUrl, poolSize: 5, applicationName: 'counted' });
  atEnd(() => own.close());
  const counted: Database = {
    ...own,
    query(text, values) {
      statements++;
      return own.query(text, values);
    },
  };
  const many = await secondApp(app, {
    context: { db: counted },
    limits: { streamsOfSessionAtMost: 500 },
  });
  const spentIn = async (ms: number) => {
    const begun = statements;
    await pause(ms);
    return statements - begun;
  };
  assert.equal(await spentIn(400), 0);
  const one = await opened(kim, many.url);
  const forOne = await spentIn(1_600);
  const rest = await Promise.all(Array.from({ length: 199 }, () => openStream(many.url, kim.cookie, path)));
  await Promise.all(rest.map((stream) => stream.says(/event: ready/)));
  const forAll = await spentIn(1_600);
  // One look every 300 ms, one check every 3 s: a slow machine does fewer.
  for (const spent of [forOne, forAll]) assert.ok(spent > 0 && spent <= 8, `${forOne}, ${forAll}`);
  for (const stream of [one, ...rest]) stream.close();
  await until('streams are left', async () => (await streamsAt(many.url)) === 0);
  await pause(400);
  assert.equal(await spentIn(700), 0);
  await many.close();
});
