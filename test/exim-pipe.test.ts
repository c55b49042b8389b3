/** What a real mail server pipes into `pitlane inbox receive-mail`: replies, and the bounces of what it can't deliver. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTransport } from 'nodemailer';
import { createSealing } from '#base/sealing.ts';
import type { EmailGateway } from '#platform/gateways/email/gateway.ts';
import { signedAddress } from '#platform/gateways/email/signed-address.ts';
import { enqueueInboxDigests } from '#product/notifications/inbox-digests/enqueue.ts';
import { bookingWorld } from './fixtures/booking-api.ts';
import { deliveryReport, unknownUser } from './fixtures/bounces.ts';
import { gatewayToExim, trustExim } from './fixtures/exim-gateway.ts';
import { inboundWorld } from './fixtures/inbound.ts';
import { newPhone } from './fixtures/messaging.ts';
import { startTestApp, type TestApp } from './harness/app.ts';
import { childEnvironment } from './harness/child.ts';
import { drain } from './harness/drain.ts';
import { type Exim, type EximOptions, eximUser, noExim, startExim } from './harness/exim.ts';
import { until } from './harness/wait.ts';
import { linkedWorkshop, signedInPartner } from './harness/world.ts';

/** A mail program that signs in there. */
function programOf(t: TestContext, { port }: Exim) {
  const transport = createTransport({
    ...{ host: '127.0.0.1', port, auth: { user: eximUser.user, pass: eximUser.password } },
    requireTLS: true,
  });
  t.after(() => transport.close());
  return transport;
}

/** E-mails to the domain go into `pitlane inbox receive-mail`. */
function pipeInto(app: TestApp, domain: string, secretKey: Buffer): NonNullable<EximOptions['pipe']> {
  const settings = childEnvironment({
    DATABASE_URL: app.databaseUrl,
    PITLANE_SECRET_KEY: secretKey.toString('hex'),
  });
  const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  return { domain, command: [process.execPath, program, 'inbox receive-mail'], settings };
}

test('a reply to an answer’s e-mail is piped into its conversation; a stranger’s comes back with the reason', {
  skip: noExim,
}, async (t) => {
  trustExim(t);
  const secretKey = randomBytes(32);
  const domain = 'reply.motors.example';
  const app = await startTestApp({
    config: { inboundMailDomain: domain },
    gateways: () => ({ sealing: createSealing([secretKey]) }),
  });
  const partner = await signedInPartner(app);
  const desk = 'desk@garage.example';
  const workshopId = await linkedWorkshop(app, [partner], { email: desk, smsSender: '+61488890001' });
  const phone = newPhone();
  await inboundWorld(app).answer(phone, 'Is it ready?', { to: '+61488890001' });
  await enqueueInboxDigests(app.context);
  await app.drain();
  const told = app.email.to(desk)[0];

  const exim = await startExim({ pipe: pipeInto(app, domain, secretKey) });
  const transport = programOf(t, exim);
  const write = (from: string, text: string) =>
    transport.sendMail({ from, to: told?.replyTo?.address ?? '', subject: `Re: ${told?.subject}`, text });

  await write('stranger@else.example', 'Click here.');
  await write(desk, `At 5 pm.\n\nOn Sunday Garage wrote:\n> ${told?.text.replaceAll('\n', '\n> ')}`);
  // The bounce to the stranger is the only e-mail that Exim has to store.
  await exim.deliveredAtLeast(1);
  assert.match(String(exim.delivered()[0]), /replies are taken from the addresses of the workshop alone/);
  const replies = () =>
    app.context.db.query<{ body: string }>(
      "SELECT body FROM message WHERE workshop_id = $1 AND kind = 'reply'",
      [workshopId],
    );
  await until('the reply is stored', async () => (await replies()).length > 0);
  assert.deepEqual(await replies(), [{ body: 'At 5 pm.' }]);
  await app.drain();
  assert.equal(app.sms.to(phone).at(-1)?.body, 'At 5 pm.');
});

test('what the server accepts and can’t deliver comes back: undelivered, and marked; a forged or repeated bounce changes nothing', {
  skip: noExim,
}, async (t) => {
  trustExim(t);
  const secretKey = randomBytes(32);
  const domain = 'reply.motors.example';
  const sealing = createSealing([secretKey]);
  const { app, book } = await bookingWorld({
    config: { inboundMailDomain: domain },
    gateways: () => ({ sealing }),
  });
  const exim = await startExim({ pipe: pipeInto(app, domain, secretKey) });
  const { gateway, outcomes } = gatewayToExim(t, exim);
  const senders: string[] = [];
  const email: EmailGateway = {
    ...gateway,
    send(mail) {
      if (mail.to.includes('customer.example')) senders.push(mail.envelopeSender ?? '');
      return gateway.send(mail);
    },
  };
  const sendAll = () => drain({ ...app.context, email });
  const notices = (to: string) =>
    app.context.db.query<{ state: string; detail: string | null }>(
      'SELECT state, detail FROM message WHERE recipient = $1 ORDER BY id',
      [to],
    );
  const customer = async (phone: string) => {
    const [row] = await app.context.db.query<{ bounced: string | null; why: string | null }>(
      'SELECT bounced_email AS bounced, email_bounce AS why FROM customer WHERE phone = $1',
      [phone],
    );
    return row;
  };

  const [phone, other] = [newPhone(), newPhone()];
  await book({ customerPhone: phone, customerEmail: 'gone@customer.example' });
  await book({ customerPhone: other, customerEmail: 'sam@customer.example' });
  await sendAll();
  assert.ok(outcomes.every(({ outcome }) => outcome.state === 'accepted'));
  await until(
    'the e-mail came back',
    async () => (await notices('gone@customer.example'))[0]?.state === 'undelivered',
  );
  const [came] = await notices('gone@customer.example');
  assert.equal(came?.detail, '550 5.1.1 no such person here');
  assert.deepEqual(await customer(phone), { bounced: 'gone@customer.example', why: came?.detail });

  // A bounce that anybody may send: of an address that we did not make, and of one that is settled.
  const transport = programOf(t, exim);
  const forge = (to: string) =>
    transport.sendMail({
      envelope: { from: '', to },
      raw: deliveryReport([unknownUser('sam@customer.example')]),
    });
  const [bounced = '', fine = ''] = senders;
  const forged = signedAddress(createSealing([randomBytes(32)]), {
    ...{ use: 'bounce', id: randomUUID(), domain, now: new Date() },
  });
  await forge(forged);
  await forge(fine.replace(/[0-9a-f](?=@)/, (digit) => (digit === '0' ? '1' : '0')));
  await app.context.db.query('UPDATE customer SET bounced_email = NULL, email_bounce = NULL');
  await forge(bounced);
  const settled = async () =>
    (await app.context.db.query("SELECT FROM bounce_count WHERE outcome = 'settled'")).length > 0;
  await until('the repeated one was read', settled);
  await until('nothing waits', () => exim.queued() === 0);
  assert.deepEqual(await customer(phone), { bounced: null, why: null });
  assert.equal((await notices('sam@customer.example'))[0]?.state, 'accepted');

  // Of two e-mails without a sender the answer of a person's program changes nothing; the words of an agent without an address do.
  const say = (headers: readonly string[], text: string) =>
    transport.sendMail({
      envelope: { from: '', to: fine },
      raw: `${headers.join('\r\n')}\r\n\r\n${text}`,
    });
  await say(
    ['From: Sam <sam@customer.example>', 'Subject: Away', 'Auto-Submitted: auto-replied'],
    'Call 550 5551.',
  );
  const answered = async () =>
    (await app.context.db.query("SELECT FROM bounce_count WHERE outcome = 'notABounce'")).length > 0;
  await until('the answer was read', answered);
  assert.equal((await notices('sam@customer.example'))[0]?.state, 'accepted');
  const refused =
    'mx.customer.example did not like our RCPT TO:\r\n550 5.1.1 <sam@customer.example>: no such user';
  await say(['From: MAILER-DAEMON <>', 'Subject: Mail delivery failed'], refused);
  await until(
    'the words were read',
    async () => (await notices('sam@customer.example'))[0]?.state === 'undelivered',
  );
  assert.equal((await customer(other))?.bounced, 'sam@customer.example');
});
