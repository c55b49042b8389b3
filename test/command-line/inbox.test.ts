/** `pitlane inbox`: in words, as JSON, with bad options, with unknown ids. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSealing } from '#base/sealing.ts';
import { newId } from '#base/values/id.ts';
import { signedAddress } from '#platform/gateways/email/signed-address.ts';
import { attachmentRows } from '#product/messaging/attachments/rows.ts';
import { insertInbound, insertUnmatched } from '#product/messaging/inbound/store.ts';
import { newPerson } from '../fixtures/people.ts';
import { pictures } from '../fixtures/pictures.ts';
import { fail, json, succeed } from './run.ts';
import { commandWorld } from './world.ts';

const { customerId, db, env, workshopId } = await commandWorld();

const now = new Date('2030-01-15T00:00:00Z');
const from = (phone: string, body: string, attachments: readonly object[] = []) =>
  insertInbound(db, {
    gateway: 'test',
    gatewayId: newId(),
    phone,
    senders: [],
    reactsAt: [],
    inReplyTo: null,
    body,
    encoding: 'gsm7',
    segments: 1,
    attachments,
    messageId: newId(),
    newConversationId: newId(),
    newCustomerId: newId(),
    eventId: newId(),
    now,
  });
const { conversationId, messageId } = await from('+61491570313', 'Is it ready\nyet?');

test('list: by the latest message, with those to answer', async () => {
  const { stdout } = await succeed(['inbox', 'list'], env);
  assert.match(stdout, /^CONVERSATION .*STATE .*ASSIGNED TO .*WORKSHOP .*ITS STATE/);
  assert.match(
    stdout,
    new RegExp(`${conversationId} +Ava Nguyen +0491 570 313 +waiting +no .*Is it ready yet\\?`),
  );
  const [row, ...rest] = await json(['inbox', 'list', '--workshop', workshopId, '--unanswered'], env);
  assert.deepEqual(
    [row.conversationId, row.customerId, row.unanswered, rest],
    [conversationId, customerId, true, []],
  );
  assert.deepEqual(await json(['inbox', 'list', '--before', messageId ?? ''], env), []);
});

test('done, waiting, assign, note: what staff do with it, each in the lists at once', async () => {
  const id = conversationId ?? '';
  const done = await json(['inbox', 'done', id], env);
  assert.deepEqual([done.conversationId, done.state], [id, 'done']);
  const listed = async (...flags: string[]) =>
    (await json(['inbox', 'list', ...flags], env)).map(
      (row: { conversationId: string }) => row.conversationId,
    );
  assert.deepEqual([await listed('--unanswered'), await listed('--filter', 'done')], [[], [id]]);
  assert.match((await succeed(['inbox', 'waiting', '0491 570 313'], env)).stdout, /state +waiting\n/);
  await newPerson(db, 'kim@carlton.example', { workshopId, role: 'owner' });
  const assigned = await json(['inbox', 'assign', id, '--to', 'kim@carlton.example'], env);
  assert.equal(assigned.assignedTo.name, 'Kim Lee');
  assert.deepEqual(await listed('--assigned-to', 'kim@carlton.example'), [id]);
  assert.equal((await json(['inbox', 'assign', id, '--nobody'], env)).assignedTo, null);
  const { noteId } = await json(['inbox', 'note', id, '--text', 'Rang her.'], env);
  assert.deepEqual(await db.query('SELECT text FROM talk_note WHERE id = $1', [noteId]), [
    { text: 'Rang her.' },
  ]);
  await fail(['inbox', 'note', id, '--text', ' '], env, 2, /1 to 2,000 characters/);
  await fail(['inbox', 'assign', id], env, 2, /--to or --nobody/);
  await fail(['inbox', 'list', '--filter', 'x'], env, 2, /waiting/);
});

test('reply: stored for a server to send; show: every message with its state', async () => {
  const { stdout, stderr } = await succeed(
    ['inbox', 'reply', conversationId ?? '', '--text', 'At 5 pm.'],
    env,
  );
  assert.match(stdout, /messageId +[\w-]{36}\nencoding +gsm7\nsegments +1\n$/);
  assert.match(stderr, /when a server runs/);
  const shown = (await succeed(['inbox', 'show', conversationId ?? ''], env)).stdout;
  assert.match(shown, /workshop +Carlton Motors\n/);
  assert.match(
    shown,
    /customer {2}received\n {2}Is it ready\n {2}yet\?\n\n.*workshop {2}sending\n {2}At 5 pm\.\n$/,
  );
  const { messages, ...head } = await json(['inbox', 'show', conversationId ?? '', '--limit', '1'], env);
  assert.deepEqual([head.customerId, head.optedOut, head.emailBounced], [customerId, false, false]);
  await db.query('UPDATE customer SET bounced_email = email WHERE id = $1', [customerId]);
  assert.match((await succeed(['inbox', 'show', conversationId ?? ''], env)).stdout, /emailBounced +yes\n/);
  assert.equal((await json(['inbox', 'list'], env))[0].emailBounced, true);
  assert.deepEqual([messages.length, messages[0].body, messages[0].partnerId], [1, 'At 5 pm.', null]);
  assert.deepEqual(await json(['inbox', 'list', '--unanswered'], env), []);
  const queued = await db.query(
    `SELECT FROM queued_message q JOIN message m ON m.id = q.message_id WHERE m.kind = 'reply' AND q.attempt_id IS NULL`,
  );
  assert.equal(queued.length, 1);
});

test('attachment: a picture as a new file, which only its owner may read; what is not stored says why', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inbox-'));
  const png = pictures['image/png'] ?? assert.fail();
  const attachments = attachmentRows([
    { contentType: 'image/png', base64: png.toString('base64') },
    { contentType: 'video/mp4', base64: 'AAAA' },
    { contentType: 'image/gif', url: 'https://api.twilio.com/x' },
  ]);
  const received = await from('+61491570313', 'Look', attachments);
  const { messages } = await json(['inbox', 'show', received.conversationId ?? ''], env);
  const [stored, refused, waiting] = messages.at(-1).attachments;
  assert.deepEqual(
    [stored.state, stored.sizeBytes, refused.reason],
    ['stored', png.length, 'typeNotAllowed'],
  );
  const shown = (await succeed(['inbox', 'show', received.conversationId ?? ''], env)).stdout;
  assert.match(
    shown,
    new RegExp(
      `Look\n +${stored.attachmentId} \\(image/png, 1 kB\\)\n +\\S+ \\(video/mp4, 1 kB, refused: typeNotAllowed\\)\n +\\S+ \\(image/gif, waiting\\)\n$`,
    ),
  );
  const out = join(folder, 'damage.png');
  const { stdout } = await succeed(['inbox', 'attachment', stored.attachmentId, '--out', out], env);
  assert.equal(stdout, `${out}: image/png, 1 kB\n`);
  assert.deepEqual(await readFile(out), png);
  assert.equal((await stat(out)).mode & 0o777, 0o600);
  const attachment = (id: string, message: RegExp, to = out, code = 1) =>
    fail(['inbox', 'attachment', id, '--out', to], env, code, message);
  await attachment(stored.attachmentId, /is there already/);
  await attachment(stored.attachmentId, /can not be written \(ENOENT\)/, join(folder, 'none', 'x'));
  await attachment(refused.attachmentId, /is not stored: it is refused \(typeNotAllowed\)/);
  await attachment(waiting.attachmentId, /is not fetched yet: a running server does it/);
  await attachment(newId(), /there is no attachment/);
  await attachment('x', /there is no attachment x/);
  await fail(['inbox', 'attachment', stored.attachmentId], env, 2, /--out/);
  await rm(folder, { recursive: true });
});

test('a customer who has opted out gets no reply', async () => {
  await succeed(['customer', 'opt-out', customerId], env);
  await fail(['inbox', 'reply', conversationId ?? '', '--text', 'x'], env, 1, /has opted out of SMS/);
  await succeed(['customer', 'opt-in', customerId], env);
});

test('unmatched, or by its old name unplaced: texts that match no workshop', async () => {
  const sms = { id: newId(), gateway: 'test', gatewayId: 'g', from: '+61491570006', to: '+61491570110' };
  await insertUnmatched(db, { ...sms, body: 'Hello?', attachments: [], receivedAt: now });
  const { stdout } = await succeed(['inbox', 'unmatched'], env);
  assert.match(stdout, new RegExp(`${sms.id} +\\+61491570006 +\\+61491570110 +test +\\S+ +Hello\\?\n$`));
  assert.equal((await json(['inbox', 'unplaced'], env))[0].unplacedId, sms.id);
});

test('every fault is named', async () => {
  for (const verb of [['show'], ['reply', '--text', 'x']]) {
    const [name = '', ...options] = verb;
    await fail(['inbox', name, newId(), ...options], env, 1, /there is no conversation/);
    await fail(['inbox', name, 'none', ...options, '--json'], env, 1, /there is no conversation none/);
  }
  await fail(['inbox', 'reply', conversationId ?? ''], env, 2, /--text/);
  await fail(['inbox', 'reply', conversationId ?? '', '--text', ' '], env, 2, /--text must not be blank/);
  await fail(
    ['inbox', 'reply', conversationId ?? '', '--text', 'x'.repeat(1_531)],
    env,
    2,
    /--text is 11 SMS segments/,
  );
  await fail(['inbox', 'list', '--workshop', newId()], env, 1, /there is no workshop/);
  await fail(['inbox', 'list', '--limit', '0'], env, 2, /--limit/);
  await fail(['inbox', 'unmatched', '--before', 'x'], env, 2, /--before/);
  await fail(
    ['workshop', 'set', workshopId, '--inbox-notices', 'fax'],
    env,
    2,
    /--inbox-notices must be one of email, sms/,
  );
  assert.equal(
    (await json(['workshop', 'set', workshopId, '--inbox-notices', 'both'], env)).inboxNotices,
    'both',
  );
});

test('receive-mail: exit codes that a mail server knows, and one line for whoever wrote', async () => {
  const secret = { ...env, PITLANE_SECRET_KEY: 'a'.repeat(64) };
  const file = join(await mkdtemp(join(tmpdir(), 'pitlane-mail-')), 'mail');
  await writeFile(file, 'From: desk@carlton.example\r\n\r\nAt 5 pm.\r\n');
  const receive = (...args: string[]) => ['inbox', 'receive-mail', file, ...args];
  const unknown = await json(receive('--to', 'reply+1@reply.example'), secret);
  assert.deepEqual(unknown, { state: 'dropped', reason: 'unknownAddress' });
  await fail(receive(), secret, 75, /--to <address>/);
  const away = { ...secret, DATABASE_URL: 'postgres://x@127.0.0.1:1/x' };
  await fail(receive('--to', 'reply+1@reply.example'), away, 75, /can't reach PostgreSQL/);
  await fail(['inbox', 'receive-mail', '/nowhere', '--to', 'x@y.example'], secret, 75, /ENOENT/);

  const sealing = createSealing([Buffer.from('aa'.repeat(32), 'hex')]);
  const to = signedAddress(sealing, {
    use: 'reply',
    id: conversationId ?? '',
    domain: 'reply.example',
    now: new Date(),
  });
  await writeFile(`${file}-of-another`, 'From: stranger@else.example\r\n\r\nHi.\r\n');
  const another = ['inbox', 'receive-mail', `${file}-of-another`, '--to', to];
  await fail(another, secret, 65, /replies are taken from the addresses of the workshop alone/);
  const sent = await json(receive(), { ...secret, RECIPIENT: to, SENDER: 'desk@carlton.example' });
  assert.deepEqual([sent.state, sent.conversationId, sent.segments], ['queued', conversationId, 1]);
  assert.equal((await json(receive('--to', to), secret)).state, 'repeated');
});
