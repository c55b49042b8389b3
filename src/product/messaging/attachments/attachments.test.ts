/** Pictures that customers send through Twilio: stored once, within the limits, whatever fails. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { inboundWorld } from '../../../../test/fixtures/inbound.ts';
import { pictureWorld } from '../../../../test/fixtures/picture-world.ts';
import { jpeg, jpegOf, pictures } from '../../../../test/fixtures/pictures.ts';
import { fetchAttachments } from './fetch.ts';
import { sizeAtMostBytes } from './rules.ts';
import { claimAttachments, endAttachment } from './store.ts';

const world = await pictureWorld();
const { app, asked, at, brings, fates, fetchAll, makeDue, remove, rows } = world;
const { context } = app;
const { db } = context;
const { conversations } = inboundWorld(app);
beforeEach(() => world.clear());

test('pictures are queued in the commit of their message, and stored unchanged; a repeated callback changes nothing', async () => {
  const files = Object.entries(pictures).map(([type, bytes]) => [type, at(bytes)] as const);
  const { sid, phone } = await brings(files);
  assert.deepEqual(
    (await rows()).map(({ state }) => state),
    files.map(() => 'waiting'),
  );
  await brings(files, { sid, phone });
  await fetchAll();
  await brings(files, { sid, phone });
  await fetchAll();
  assert.deepEqual(
    (await rows()).map(({ state, content }) => [state, content]),
    Object.values(pictures).map((bytes) => ['stored', bytes]),
  );
  assert.equal(asked.length, files.length);
  assert.equal((await conversations(phone))[0]?.messages[0]?.body, `Look\n[${files.length} attachments]`);
});

test('an attachment that is not kept has a row with the reason; other types and other hosts are not fetched', async () => {
  await brings([
    ['video/mp4', at(jpeg)],
    ['image/jpeg', 'https://mirror.example/2010-04-01/Accounts/AC1/Messages/MM1/Media/ME1'],
    ['image/png', at(jpeg)],
    ['image/jpeg', at(Buffer.alloc(0))],
    ['image/jpeg', at(jpegOf(sizeAtMostBytes + 1))],
    ['image/jpeg', at(jpegOf(sizeAtMostBytes))],
    ['image/jpeg', at((response) => response.writeHead(307, { location: at(jpeg) }).end())],
    [
      'image/jpeg',
      at((response) => response.writeHead(307, { location: 'https://169.254.169.254/latest' }).end()),
    ],
  ]);
  await fetchAll();
  assert.deepEqual(await fates(), [
    ['refused', 'typeNotAllowed', null],
    ['refused', 'addressNotAllowed', null],
    ['refused', 'otherContent', jpeg.length],
    ['refused', 'empty', 0],
    ['refused', 'tooLarge', sizeAtMostBytes + 1],
    ['stored', null, sizeAtMostBytes],
    ['refused', 'addressNotAllowed', null],
    ['refused', 'addressNotAllowed', null],
  ]);
  assert.equal(asked.length, 6);
});

test('at most ten attachments of one message are kept', async () => {
  await brings(Array.from({ length: 12 }, () => ['image/jpeg', at(jpeg)] as const));
  assert.equal((await rows()).length, 10);
});

test('a picture that is not available yet is fetched again, eight times at most', async () => {
  const name = newId();
  await brings([['image/jpeg', at(jpeg, name)]]);
  remove(name);
  await fetchAll();
  assert.deepEqual(await fates(), [['waiting', 'status404', null]]);
  assert.equal(await fetchAttachments(context), 0, 'not at once');
  at(jpeg, name);
  await makeDue();
  await fetchAll();
  assert.deepEqual(await fates(), [['stored', null, jpeg.length]]);

  await db.query('DELETE FROM message_attachment');
  await brings([['image/jpeg', at((response) => response.writeHead(503).end())]]);
  for (let times = 0; times < 12; times++) {
    await makeDue();
    await fetchAttachments(context);
  }
  assert.deepEqual(
    (await rows()).map(({ state, reason, attempts }) => [state, reason, attempts]),
    [['failed', 'status503', 8]],
  );
});

test('two concurrent workers fetch each picture once', async () => {
  await brings(Array.from({ length: 8 }, () => ['image/jpeg', at(jpeg)] as const));
  await Promise.all([fetchAll(), fetchAll(), fetchAll()]);
  assert.deepEqual([asked.length, new Set(asked).size], [8, 8]);
  assert.ok((await rows()).every(({ state }) => state === 'stored'));
});

test('after a crash another worker fetches the picture when the lease has ended; a late result changes nothing', async () => {
  await brings([['image/jpeg', at(jpeg)]]);
  const claim = { leaseSeconds: 30, attemptsAtMost: 8, which: { limit: 4, job: 'fetchAttachment' } };
  const [lost] = await claimAttachments(db, claim);
  assert.ok(lost);
  assert.equal(await fetchAttachments(context), 0, 'the lease holds');
  await makeDue();
  const [again] = await claimAttachments(db, claim);
  assert.equal(await endAttachment(db, lost, { state: 'failed', reason: 'noAnswer' }), false);
  assert.equal(again?.attempts, 2);
  await makeDue();
  await fetchAll();
  assert.deepEqual(await fates(), [['stored', null, jpeg.length]]);

  await db.query('DELETE FROM message_attachment');
  await brings([['image/jpeg', at(jpeg)]]);
  for (let crashes = 0; crashes < 8; crashes++) {
    await makeDue();
    await claimAttachments(db, claim);
  }
  await makeDue();
  await fetchAll();
  assert.deepEqual(await fates(), [['failed', 'noAnswer', null]], 'given up, not tried for ever');
});
