/** Pictures that customers send through Twilio: stored once, within their limits, whatever fails, and gone with the customer. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { beforeEach, test } from 'node:test';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import { retryDeadLetter } from '#dead-letters.ts';
import { eraseCustomer } from '#erasure/erase-customer.ts';
import { purgeOldMessages } from '#sending/retention/purge.ts';
import { newId } from '#values/id.ts';
import { listDeadLetters } from '#work/dead-letters/store.ts';
import { setWorkshop } from '#workshops/set.ts';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import { newPhone } from '../../../test/fixtures/messaging.ts';
import { jpeg, jpegOf, pictures } from '../../../test/fixtures/pictures.ts';
import { startSmsProvider } from '../../../test/fixtures/sms-provider.ts';
import { publicUrl, worldThrough } from '../../../test/fixtures/through-gateway.ts';
import { fetchAttachments } from './fetch.ts';
import { sizeAtMostBytes } from './rules.ts';
import { claimAttachments, endAttachment } from './store.ts';

const account = `AC${'0123456789abcdef'.repeat(2)}`;
const [authToken, number] = ['a-token-of-twilio', '+61400000000'];

type Medium = (response: ServerResponse) => void;
/** What the provider's media are, by their name; and which were asked for. */
const media = new Map<string, Medium>();
const asked: string[] = [];
const authorization = `Basic ${Buffer.from(`${account}:${authToken}`).toString('base64')}`;
const provider = await startSmsProvider(({ url, headers }, response) => {
  const name = url.split('/').at(-1) ?? '';
  asked.push(name);
  const medium = media.get(name);
  if (headers.authorization !== authorization) response.writeHead(401).end();
  else if (medium === undefined) response.writeHead(404).end();
  else medium(response);
});
const { app, workshopId } = await worldThrough({
  PITLANE_SMS_GATEWAYS: 'twilio',
  TWILIO_ACCOUNT_SID: account,
  TWILIO_AUTH_TOKEN: authToken,
  TWILIO_FROM: number,
  TWILIO_URL: provider.url,
});
const { context } = app;
const { db, clock } = context;
const { conversations } = inboundWorld(app);
await setWorkshop(db, clock, workshopId, { smsSender: number });

beforeEach(async () => {
  await db.query('DELETE FROM message_attachment');
  asked.length = 0;
});

/** A medium of the provider's: its URL. */
function at(answer: Buffer | Medium, name = newId()): string {
  media.set(name, typeof answer === 'function' ? answer : (response) => response.end(answer));
  return `${provider.url}/2010-04-01/Accounts/${account}/Messages/MM1/Media/${name}`;
}

/** What Twilio calls with; the same `sid` again is the same message. */
async function brings(
  files: readonly (readonly [type: string, url: string])[],
  { sid = newId(), phone = newPhone(), to = number } = {},
) {
  const named = files.flatMap(([type, url], i) => [
    [`MediaUrl${i}`, url],
    [`MediaContentType${i}`, type],
  ]);
  const form = {
    MessageSid: sid,
    From: phone,
    To: to,
    Body: 'Look',
    NumMedia: `${files.length}`,
    ...Object.fromEntries(named),
  };
  const path = '/gateways/twilio/inbound';
  const { status } = await app.request('POST', path, {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': getExpectedTwilioSignature(authToken, `${publicUrl}${path}`, form),
    },
    body: new URLSearchParams(form).toString(),
  });
  assert.equal(status, 200);
  return { sid, phone };
}

interface Row {
  readonly state: string;
  readonly reason: string | null;
  readonly size: number | null;
  readonly content: Buffer | null;
  readonly attempts: number;
}
const rows = () =>
  db.query<Row>(
    'SELECT state, reason, size_bytes AS size, content, attempts FROM message_attachment ORDER BY message_id, ordinal',
  );
const fates = async () => (await rows()).map(({ state, reason, size }) => [state, reason, size]);
/** Whatever waits, for its time or for the end of a lease, is due. */
const makeDue = () =>
  db.query(
    `UPDATE message_attachment SET due_at = clock_timestamp() - interval '1 second' WHERE state = 'waiting'`,
  );
async function fetchAll(): Promise<void> {
  while ((await fetchAttachments(context)) > 0);
}

test('pictures wait from the commit of their message on, and are stored as they are; a repeat changes nothing', async () => {
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

test('what is not kept has a row that says why; other types and other hosts are not asked for', async () => {
  await brings([
    ['video/mp4', at(jpeg)],
    ['image/jpeg', `https://mirror.example/2010-04-01/Accounts/${account}/Messages/MM1/Media/ME1`],
    ['image/png', at(jpeg)],
    ['image/jpeg', at(Buffer.alloc(0))],
    ['image/jpeg', at(jpegOf(sizeAtMostBytes + 1))],
    ['image/jpeg', at(jpegOf(sizeAtMostBytes))],
    ['image/jpeg', at((response) => response.writeHead(307, { location: `${provider.url}/inside` }).end())],
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

test('of one message ten are kept', async () => {
  await brings(Array.from({ length: 12 }, () => ['image/jpeg', at(jpeg)] as const));
  assert.equal((await rows()).length, 10);
});

test('one that is not there yet is asked for again, eight times at most', async () => {
  const name = newId();
  await brings([['image/jpeg', at(jpeg, name)]]);
  media.delete(name);
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

test('two workers at once fetch each once', async () => {
  await brings(Array.from({ length: 8 }, () => ['image/jpeg', at(jpeg)] as const));
  await Promise.all([fetchAll(), fetchAll(), fetchAll()]);
  assert.deepEqual([asked.length, new Set(asked).size], [8, 8]);
  assert.ok((await rows()).every(({ state }) => state === 'stored'));
});

test('after a crash another worker fetches it when the lease is over; what comes late changes nothing', async () => {
  await brings([['image/jpeg', at(jpeg)]]);
  const claim = { limit: 4, leaseSeconds: 30, attemptsAtMost: 8 };
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

test('pictures beside an SMS that matches no workshop come with it when it is matched', async () => {
  const to = '+61400000099';
  const { phone } = await brings(
    [
      ['image/jpeg', at(jpeg)],
      ['video/mp4', at(jpeg)],
    ],
    { to },
  );
  assert.deepEqual(await rows(), []);
  await setWorkshop(db, clock, workshopId, { smsSender: to });
  const [letter] = await listDeadLetters(db);
  await retryDeadLetter(context, letter?.id ?? '');
  await setWorkshop(db, clock, workshopId, { smsSender: number });
  await fetchAll();
  assert.deepEqual(await fates(), [
    ['stored', null, jpeg.length],
    ['refused', 'typeNotAllowed', null],
  ]);
  assert.equal((await conversations(phone)).length, 1);
});

test('an erasure deletes them, and nothing is stored of one that is being fetched', async () => {
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const slow = at(async (response) => {
    begun.resolve();
    await held.promise;
    response.end(jpeg);
  });
  const { phone } = await brings([
    ['image/jpeg', at(jpeg)],
    ['image/jpeg', slow],
  ]);
  const fetching = fetchAll();
  await begun.promise;
  const [found] = await conversations(phone);
  await eraseCustomer(db, clock, found?.customerId ?? '');
  assert.deepEqual(await rows(), []);
  held.resolve();
  await fetching;
  assert.deepEqual(await rows(), []);
});

test('they are kept as long as their message', async () => {
  const { phone } = await brings([['image/jpeg', at(jpeg)]]);
  const config = { ...context.config, messagesKeptDays: 90 };
  await purgeOldMessages({ ...context, config });
  assert.equal((await rows()).length, 1);
  const [found] = await conversations(phone);
  const old = '01900000-0000-7000-8000-000000000099';
  await db.query(
    `WITH moved AS (INSERT INTO message SELECT (jsonb_populate_record(m, jsonb_build_object('id', $2::text, 'gateway_message_id', 'old'))).*
       FROM message m WHERE m.id = $1 RETURNING id)
     SELECT id FROM moved`,
    [found?.messages[0]?.id, old],
  );
  await db.query('UPDATE message_attachment SET message_id = $1', [old]);
  await db.query('DELETE FROM retention');
  await purgeOldMessages({ ...context, config });
  assert.deepEqual(await rows(), []);
});
