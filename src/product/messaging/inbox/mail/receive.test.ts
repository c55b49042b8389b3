/** A workshop replies to a digest by e-mail: the reply is added to the conversation, once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { type NewAddress, signedAddress } from '#platform/gateways/email/signed-address.ts';
import { enqueueInboxDigests } from '#product/notifications/inbox-digests/enqueue.ts';
import { inboundWorld } from '../../../../../test/fixtures/inbound.ts';
import { messagingWorld } from '../../../../../test/fixtures/messaging.ts';
import { drain } from '../../../../../test/harness/drain.ts';
import { linkedWorkshop } from '../../../../../test/harness/world.ts';
import { linesAtMost, mailAtMost, partsAtMost } from './bounds.ts';
import { MailRefused, receiveMail } from './receive.ts';

const domain = 'reply.pitlane.example';
const { app, partner, customer } = await messagingWorld({ config: { inboundMailDomain: domain } });
const { answer, conversations } = inboundWorld(app);
const { context, sms, email } = app;

let number = 0;
const tell = async (told = context) => {
  await enqueueInboxDigests(told);
  await app.drain();
};

/** A workshop whose customer has written, and the digest that it got. */
async function asked() {
  const n = ++number;
  const [desk, smsSender] = [`desk${n}@garage.example`, `+6148889${2000 + n}`];
  const notifyEmails = [desk, `Boss${n}@Garage.example`];
  const id = await linkedWorkshop(app, [partner], {
    email: `office${n}@garage.example`,
    notifyEmails,
    smsSender,
  });
  const { phone } = await customer({ workshopId: id, name: 'Ava Nguyen' });
  await answer(phone, 'Is it ready?', { to: smsSender });
  await tell();
  return { id, n, desk, phone, smsSender };
}

const mailFrom = (author: string, text: string, headers = '') =>
  Buffer.from(
    `From: ${author}\r\nTo: someone\r\nSubject: Re: 1 new answer\r\n${headers}Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`,
  );
const messageId = () => `Message-ID: <${newId()}@garage.example>\r\n`;
const receive = (to: string, raw: Buffer, sender: string | null = null) =>
  receiveMail(context, { to, sender, raw });
async function conversationOf(phone: string) {
  const [row] = await context.db.query<{ id: string }>(
    'SELECT c.id FROM conversation c JOIN customer k ON k.id = c.customer_id WHERE k.phone = $1',
    [phone],
  );
  return row?.id ?? '';
}
const replyAddress = (id: string, changes: Partial<NewAddress> = {}) =>
  signedAddress(context.sealing, {
    ...{ use: 'reply', id, domain, now: context.clock.machineNow() },
    ...changes,
  });
const addressOf = async (phone: string) => replyAddress(await conversationOf(phone));
const repliesTo = (phone: string) => sms.to(phone).map(({ body }) => body);
const refusal = (message: RegExp) => (error: Error) =>
  error instanceof MailRefused && message.test(error.message);

test('a reply reaches the customer as an SMS; the same e-mail again sends nothing', async () => {
  const { desk, phone } = await asked();
  const raw = mailFrom(desk, 'At 5 pm.\r\n\r\n> Is it ready?', messageId());
  const to = await addressOf(phone);
  const [first, second] = await Promise.all([receive(to, raw), receive(to, raw)]);
  assert.deepEqual([first.state, second.state].sort(), ['queued', 'repeated']);
  assert.equal((await receive(to, raw)).state, 'repeated');
  await app.drain();
  assert.deepEqual(repliesTo(phone), ['At 5 pm.']);
  const [conversation] = await conversations(phone);
  assert.deepEqual(
    conversation?.messages.map(({ direction, body }) => [direction, body]),
    [
      ['inbound', 'Is it ready?'],
      ['outbound', 'At 5 pm.'],
    ],
  );
  // Without a Message-ID, the hash of the whole e-mail identifies it.
  const bare = mailFrom(desk, 'Or at 6.');
  assert.deepEqual(
    [(await receive(to, bare)).state, (await receive(to, bare)).state],
    ['queued', 'repeated'],
  );
});

test('always: a reply goes out whole, or is refused with the reason and nothing is sent (specification: Answers of the workshop 7 and 8)', async () => {
  const { desk, phone } = await asked();
  const to = await addressOf(phone);
  const [told] = email.to(desk);
  const own = 'Brakes, all up:\n----\n> 3 mm left\nFrom: 189';
  const quoted = `${told?.text}`.replace(/^/gm, '> ');
  const line = `2029/04/04 15:59 ${app.context.config.mailFrom.address}:`;
  await receive(to, mailFrom(desk, `${own}\n\n${line}\n\n${quoted}`, messageId()));
  await app.drain();
  assert.deepEqual(repliesTo(phone), [own]);
  for (const [text, why] of [
    ['At 5.\n> Sam: where is my car?', /begin with “>”/],
    [`${line}\n\n${quoted}\nAt 5.`, /^nothing stands above the line “Write your reply above this line.”/],
  ] as const)
    await assert.rejects(receive(to, mailFrom(desk, text, messageId())), refusal(why));
  await app.drain();
  assert.equal(repliesTo(phone).length, 1);
});

test('an opt-out, a blank text and a text that is too long are refused, in words for their author', async () => {
  const { desk, phone, smsSender } = await asked();
  const to = await addressOf(phone);
  const send = (text: string) => receive(to, mailFrom(desk, text, messageId()));
  await assert.rejects(send('\r\n> quoted'), refusal(/^what you wrote must not be blank$/));
  await assert.rejects(send('x'.repeat(2_000)), refusal(/SMS segments long; at most 10/));
  await answer(phone, 'STOP', { to: smsSender });
  await assert.rejects(send('Sorry'), refusal(/has opted out/));
  assert.equal(repliesTo(phone).includes('Sorry'), false);
});

test('only addresses of the workshop itself may write, in upper or lower case', async () => {
  const { desk, phone, n } = await asked();
  const to = await addressOf(phone);
  const other = await asked();
  for (const author of [other.desk, 'stranger@else.example', `"${desk}" <x@else.example>`]) {
    await assert.rejects(
      receive(to, mailFrom(author, 'Hi', messageId())),
      refusal(/addresses of the workshop alone/),
    );
  }
  const second = 'From: evil@else.example\r\n';
  for (const [author, headers] of [
    [`${desk}, evil@else.example`, ''],
    [desk, second],
    ['', ''],
  ] as const) {
    await assert.rejects(receive(to, mailFrom(author, 'Hi', headers)), refusal(/must have one author/));
  }
  const sentFor = mailFrom(desk, 'Hi', 'Sender: assistant@else.example\r\n');
  assert.equal((await receive(to, sentFor)).state, 'queued');
  for (const author of [`BOSS${n}@garage.example`, `Office <office${n}@garage.example>`]) {
    assert.equal((await receive(to, mailFrom(author, 'Hi', messageId()))).state, 'queued', author);
  }
});

test('an automatic e-mail is dropped, also to an expired address; nothing answers it', async () => {
  const { desk, phone } = await asked();
  const conversationId = await conversationOf(phone);
  const old = replyAddress(conversationId, { now: new Date('2020-01-01') });
  const automatic = { state: 'dropped', reason: 'automatic' };
  assert.deepEqual(await receive(old, mailFrom(desk, 'Away', 'Auto-Submitted: auto-replied\r\n')), automatic);
  const to = await addressOf(phone);
  for (const sender of ['', 'MAILER-DAEMON', 'mailer-daemon@garage.example']) {
    assert.deepEqual(await receive(to, mailFrom(desk, 'Undelivered'), sender), automatic, sender);
  }
  await assert.rejects(receive(old, mailFrom(desk, 'Hi')), refusal(/has expired/));
});

test('an e-mail to an unknown address is dropped; one that is too large, or for a deleted conversation, is refused', async () => {
  const { desk, phone } = await asked();
  const to = await addressOf(phone);
  for (const unknown of [`x${to}`, to.replace('+', '+0'), `reply+${'0'.repeat(56)}@${domain}`, '']) {
    assert.deepEqual(
      await receive(unknown, mailFrom(desk, 'Hi')),
      { state: 'dropped', reason: 'unknownAddress' },
      unknown,
    );
  }
  const large = (headers = '') => Buffer.concat([mailFrom(desk, 'Hi', headers)], mailAtMost + 1);
  await assert.rejects(receive(to, large()), refusal(/larger than 10 MB/));
  assert.deepEqual(await receive(to, large('Auto-Submitted: auto-replied\r\n')), {
    state: 'dropped',
    reason: 'automatic',
  });
  const gone = replyAddress(newId());
  await assert.rejects(receive(gone, mailFrom(desk, 'Hi')), refusal(/addresses of the workshop alone/));
});

test('a stranger’s e-mail is refused before it is parsed, and the workshop’s own e-mail is refused when parsing costs too much', async () => {
  const { desk, phone } = await asked();
  const to = await addressOf(phone);
  const breaks = Buffer.alloc(linesAtMost + 10, '\n');
  const from = (author: string) => Buffer.concat([mailFrom(author, 'Hi'), breaks]);
  const before = process.cpuUsage();
  await assert.rejects(
    receive(to, from('stranger@else.example')),
    refusal(/addresses of the workshop alone/),
  );
  await assert.rejects(receive(to, from(desk)), refusal(/more than 150,000 lines: send it without/));
  assert.ok(process.cpuUsage(before).user < 1_000_000);
  const endless = mailFrom(desk, 'Hi', 'X: y\r\n'.repeat(50_000));
  await assert.rejects(receive(to, endless), refusal(/headers of the e-mail can not be read/));
});

test('at most 30 e-mails an hour are accepted for one customer', async () => {
  const { desk, phone } = await asked();
  const to = await addressOf(phone);
  const unread = mailFrom(desk, '\n--b'.repeat(partsAtMost + 1));
  for (let n = 0; n < 30; n++) await assert.rejects(receive(to, unread), refusal(/more than 1,000 parts/));
  await assert.rejects(receive(to, mailFrom(desk, 'Hi')), refusal(/more than 30 e-mails an hour/));
  const other = await asked();
  assert.equal((await receive(await addressOf(other.phone), mailFrom(other.desk, 'Hi'))).state, 'queued');
});

function assertReplyLineFirst(sent: { readonly text: string; readonly html: string } | undefined): void {
  assert.match(sent?.text ?? '', /^Write your reply above this line\./);
  assert.match(sent?.html ?? '', /<body[^>]*>\s*<p [^>]*>Write your reply above this line\./);
}

test("a digest of one person’s answers can be replied to; in a digest of several people’s each has an address (specification: Customers' answers 10)", async () => {
  const { id, desk, phone, smsSender } = await asked();
  const one = email.to(desk)[0];
  assert.deepEqual(one?.replyTo, { name: 'Ava Nguyen', address: await addressOf(phone) });
  assertReplyLineFirst(one);
  assert.match(one?.text ?? '', /Reply to this e-mail, and your customer gets your words as an SMS\./);

  const people = [await customer({ workshopId: id }), await customer({ workshopId: id, name: 'Sam Taylor' })];
  for (const person of people) await answer(person.phone, 'And mine?', { to: smsSender });
  await context.db.query("UPDATE workshop SET answers_told_at = answers_told_at - interval '301 seconds'");
  await tell();
  const [, both] = email.to(desk);
  assert.equal(both?.replyTo, undefined);
  for (const person of people) {
    const address = (await addressOf(person.phone)) ?? assert.fail();
    assert.ok(both?.text.includes(`And mine?\nReply to: ${address}\n`), both?.text ?? '');
    assert.ok(both?.html.includes(address));
  }
  assert.match(both?.text ?? '', /Write to the address below their words/);
  assertReplyLineFirst(both);

  // The quoted text, here under a header without an address, does not reach the recipient.
  const [to] = people;
  const header = `From: Garage\r\nSent: today\r\nTo: Desk\r\nSubject: ${both?.subject}`;
  const raw = mailFrom(desk, `At 5 pm.\r\n\r\n${header}\r\n\r\n${both?.text}`, messageId());
  await receive(await addressOf(to?.phone ?? ''), raw);
  await app.drain();
  assert.deepEqual(repliesTo(to?.phone ?? ''), ['At 5 pm.']);
});

test("without a domain for replies the digest says that it can’t be replied to (specification: Customers' answers 10)", async () => {
  const { desk, smsSender, id } = await asked();
  const { phone } = await customer({ workshopId: id });
  await answer(phone, 'Hello?', { to: smsSender });
  await context.db.query("UPDATE workshop SET answers_told_at = answers_told_at - interval '301 seconds'");
  await enqueueInboxDigests(context);
  await drain({ ...context, config: { ...context.config, inboundMailDomain: null } });
  const sent = email.to(desk).at(-1);
  assert.equal(sent?.replyTo, undefined);
  assert.doesNotMatch(`${sent?.text}${sent?.html}`, /Write your reply above/);
  assert.match(sent?.text ?? '', /Please do not reply to this e-mail: .*Call\s+or\s+text\s+them\./s);
});
