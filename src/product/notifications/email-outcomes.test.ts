/** The mail server's reply is recorded on the message and its attempt, and in the dead letter after a permanent refusal. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Context } from '#platform/context.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { countUnauthenticated, readUnauthenticated } from '#product/sending/unauthenticated/store.ts';
import { refusedLikeAll } from '#product/sending/unauthenticated/words.ts';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import { gatewayTo, type Script, scriptedServer } from '../../../test/fixtures/mail-server.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { type DrainOptions, drain } from '../../../test/harness/drain.ts';
import { expectErrors } from '../../../test/harness/log.ts';
import { bookingBody, linkedWorkshop } from '../../../test/harness/world.ts';
import { enqueueInboxDigests } from './inbox-digests/enqueue.ts';

const { app, partner, customer } = await messagingWorld();
const { answer } = inboundWorld(app);
const { db } = app.context;

interface Row {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly gateway: string | null;
  readonly gatewayId: string | null;
  readonly attempts: number;
}

async function row(kind: 'bookingNotice' | 'inboxDigest', recipient: string): Promise<Row> {
  const [found] = await db.query<Row>(
    `SELECT m.id, m.state, m.reason, m.detail, a.gateway, a.gateway_id, m.attempts
       FROM message m LEFT JOIN message_attempt a ON a.id = m.attempt_id WHERE m.kind = $1 AND m.recipient = $2`,
    [kind, recipient],
  );
  assert.ok(found, recipient);
  return found;
}

async function deadLetterOf(id: string) {
  const letters = await listDeadLetters(db);
  return letters.find(({ payload }) => JSON.stringify(payload).includes(id));
}

let number = 0;
/** Makes a booking at a new workshop, and sends the notices through a mail server with that script. */
async function booked(t: TestContext, script: Script, options: DrainOptions = {}) {
  number++;
  const [mine, theirs] = [`customer${number}@mail.example`, `desk${number}@mail.example`];
  const server = await scriptedServer(t, script);
  const workshopId = await linkedWorkshop(app, [partner], { email: theirs, name: `Garage ${number}` });
  const body = bookingBody(workshopId, { customerEmail: mine, customerPhone: newPhone() });
  assert.equal((await partner.call('POST', '/bookings', body)).status, 201);
  const context: Context = { ...app.context, email: gatewayTo(t, server.port) };
  await drain(context, options);
  return { server, context, mine, theirs };
}

test('a refused recipient: the redacted reply is recorded once, with a dead letter (specification: Notices 28)', async (t) => {
  expectErrors(/550 5\.1\.1/);
  const { mine, theirs, server } = await booked(
    t,
    (line) =>
      line.startsWith('RCPT TO:<customer') ? '550 5.1.1 <customer@mail.example>: no such person' : null,
    { retries: true },
  );
  const refused = await row('bookingNotice', mine);
  const detail = '550 5.1.1 <…>: no such person';
  assert.deepEqual(
    [refused.state, refused.reason, refused.detail, refused.gateway, refused.attempts],
    ['failed', 'invalidAddress', detail, 'smtp', 1],
  );
  const letter = await deadLetterOf(refused.id);
  assert.deepEqual([letter?.reason, letter?.detail, letter?.attempts], ['invalidAddress', detail, 1]);
  const taken = await row('bookingNotice', theirs);
  assert.deepEqual([taken.state, taken.reason, taken.detail, taken.attempts], ['accepted', null, null, 1]);
  assert.match(taken.gatewayId ?? '', new RegExp(`^<${taken.id}@`));
  assert.equal(server.received.length, 1);
});

test('a temporary refusal: the redacted reply is recorded until a later attempt is accepted', async (t) => {
  let isBusy = true;
  const { context, mine } = await booked(t, (line) =>
    isBusy && line.startsWith('RCPT') ? '451 4.7.1 greylisted' : null,
  );
  const waiting = await row('bookingNotice', mine);
  assert.deepEqual(
    [waiting.state, waiting.reason, waiting.detail],
    ['failed', 'temporarilyRefused', '451 4.7.1 greylisted'],
  );
  assert.equal(await deadLetterOf(waiting.id), undefined);
  isBusy = false;
  await drain(context, { retries: true });
  const sent = await row('bookingNotice', mine);
  assert.deepEqual([sent.state, sent.reason, sent.detail, sent.attempts], ['accepted', null, null, 2]);
});

test('a refusal about all e-mails: the operator hears of it once a day, no row has the words', async (t) => {
  const said = '550 5.7.26 Your email has been blocked because the sender is unauthenticated.';
  let isRefused = true;
  // One line for both e-mails.
  expectErrors(/takes no e-mail from here until SPF, DKIM and DMARC/);
  const { context, mine, theirs } = await booked(t, (line) => (isRefused && line === '.' ? said : null));
  for (const to of [mine, theirs]) {
    const { state, reason, detail } = await row('bookingNotice', to);
    assert.deepEqual([state, reason, detail], ['failed', 'gatewayUnavailable', refusedLikeAll]);
  }
  const found = await readUnauthenticated(db);
  assert.match(found?.detail ?? '', /5\.7\.26/);
  assert.equal(found?.count, 2);
  isRefused = false;
  await drain(context, { retries: true });
  assert.equal((await row('bookingNotice', mine)).state, 'accepted');
  // Within the day nothing is news; a week later it begins again.
  const later = (days: number) => new Date((found?.lastAt.getTime() ?? 0) + days * 86_400_000);
  assert.equal(await countUnauthenticated(db, said, later(0.5)), false);
  assert.equal(await countUnauthenticated(db, said, later(1.1)), true);
  assert.equal(await countUnauthenticated(db, said, later(9)), true);
  assert.equal((await readUnauthenticated(db))?.count, 1);
});

test('handed over without a reply: the outcome is unknown, and the e-mail is sent again with the same Message-ID (specification: Notices 29)', async (t) => {
  let isLost = true;
  const { context, mine, server } = await booked(t, (line, { socket }) => {
    if (!isLost || line !== '.') return null;
    socket.destroy();
    return '';
  });
  const unknown = await row('bookingNotice', mine);
  assert.deepEqual([unknown.state, unknown.reason], ['unknown', 'unknownOutcome']);
  assert.match(unknown.detail ?? '', /^The mail server had the whole e-mail and did not answer/);
  isLost = false;
  await drain(context, { retries: true });
  assert.deepEqual(
    [(await row('bookingNotice', mine)).state, (await row('bookingNotice', mine)).attempts],
    ['accepted', 2],
  );
  const copies = server.received.filter((mail) => mail.includes(`To: ${mine}`)).map(String);
  assert.equal(copies.length, 2);
  for (const copy of copies) assert.ok(copy.includes(`Message-ID: <${unknown.id}@`));
});

test('the outcome of an inbox digest is recorded on its own row', async (t) => {
  expectErrors(/554 5\.6\.0/);
  const [desk, smsSender] = ['answers@mail.example', '+61488899001'];
  const id = await linkedWorkshop(app, [partner], { email: desk, smsSender, name: 'Garage of answers' });
  const { phone } = await customer({ workshopId: id });
  await answer(phone, 'At nine', { to: smsSender });
  const server = await scriptedServer(t, (line) => (line === '.' ? '554 5.6.0 not with us' : null));
  const context: Context = { ...app.context, email: gatewayTo(t, server.port) };
  await enqueueInboxDigests(context);
  await drain(context, { retries: true });
  const refused = await row('inboxDigest', desk);
  assert.deepEqual(
    [refused.state, refused.reason, refused.detail, refused.attempts],
    ['failed', 'refused', '554 5.6.0 not with us', 1],
  );
  assert.equal((await deadLetterOf(refused.id))?.detail, '554 5.6.0 not with us');
});
