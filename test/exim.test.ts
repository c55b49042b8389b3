/** E-mail through a real mail server: delivery, refusals, and a server that is killed under load. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, type TestContext, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { createTransport } from 'nodemailer';
import type { Context } from '#context.ts';
import type { EmailGateway, EmailOutcome } from '#gateways/email/gateway.ts';
import { smtpGateway } from '#gateways/email/smtp.ts';
import { createLimiter } from '#gateways/limiter/limiter.ts';
import { enqueueInboxDigests } from '#notifications/inbox-digests/enqueue.ts';
import { createSealing } from '#sealing.ts';
import { bookingWorld } from './fixtures/booking-api.ts';
import { certificate } from './fixtures/certificate.ts';
import { dkim, verdict } from './fixtures/dkim.ts';
import { inboundWorld } from './fixtures/inbound.ts';
import { newPhone } from './fixtures/messaging.ts';
import { startTestApp } from './harness/app.ts';
import { childEnvironment } from './harness/child.ts';
import { drain } from './harness/drain.ts';
import { type Exim, eximUser, messageIdOf, noExim, startExim, until } from './harness/exim.ts';
import { expectErrors } from './harness/log.ts';
import { linkedWorkshop, signedInPartner } from './harness/world.ts';

const known = getCACertificates('default');
setDefaultCACertificates([...known, certificate]);
after(() => setDefaultCACertificates(known));

/** The gateway to it, and the outcome of each hand-over, by reference. */
function gatewayTo(t: TestContext, { port }: Exim, password = eximUser.password) {
  const gateway = smtpGateway({
    host: '127.0.0.1',
    port,
    name: 'motors.example',
    tls: 'required',
    signIn: { ...eximUser, password },
    dkim,
    from: { name: 'Pitlane', address: 'noreply@motors.example' },
  });
  t.after(() => gateway.close());
  const outcomes: { readonly reference: string; readonly outcome: EmailOutcome }[] = [];
  const recorded: EmailGateway = {
    ...gateway,
    async send(email) {
      const outcome = await gateway.send(email);
      outcomes.push({ reference: email.reference, outcome });
      return outcome;
    },
  };
  return { gateway: recorded, outcomes };
}

/** The id of the message in the server's queue. */
const eximId = (mail: Buffer) => /\sid ([\w-]{16,23})\s/.exec(String(mail))?.[1] ?? '';

test('a booking’s e-mails arrive, signed, and refusals are outcomes', { skip: noExim }, async (t) => {
  expectErrors(/550 there is no such person/);
  const exim = await startExim();
  const { app, book } = await bookingWorld();
  const { gateway } = gatewayTo(t, exim);
  const context: Context = { ...app.context, email: gateway };
  const state = async (recipient: string) => {
    const rows = await context.db.query(
      'SELECT state, reason, detail FROM message WHERE recipient = $1 ORDER BY id DESC LIMIT 1',
      [recipient],
    );
    return rows[0];
  };

  await book({ customerName: 'Zoë Müller', notes: `${'long '.repeat(400)}\n.\n..` });
  await drain(context);
  await exim.deliveredAtLeast(2);
  const arrived = exim.delivered();
  assert.equal(arrived.length, 2);
  for (const mail of arrived) {
    // The folder holds bare line feeds; on the way each was CRLF.
    const message = Buffer.from(mail.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1');
    assert.equal(await verdict(message), 'pass');
  }
  assert.deepEqual(await state('sam@customer.example'), { state: 'accepted', reason: null, detail: null });

  await book({ customerEmail: 'nobody@customer.example' });
  await book({ customerEmail: 'later@customer.example' });
  await drain(context);
  assert.deepEqual(await state('nobody@customer.example'), {
    state: 'failed',
    reason: 'invalidAddress',
    detail: '550 there is no such person',
  });
  assert.deepEqual(await state('later@customer.example'), {
    state: 'failed',
    reason: 'temporarilyRefused',
    detail: '451 try again later',
  });

  const wrong = gatewayTo(t, exim, 'guess');
  await book({ customerEmail: 'sam2@customer.example' });
  await drain({ ...context, email: wrong.gateway });
  assert.deepEqual(await state('sam2@customer.example'), {
    state: 'failed',
    reason: 'gatewayUnavailable',
    detail:
      'The mail server does not take the user and password (SMTP_URL, SMTP_PASSWORD): 535 Incorrect authentication data',
  });
});

test('killed under load and started again: each e-mail arrives, and none twice that was acknowledged', {
  skip: noExim,
}, async (t) => {
  const exim = await startExim();
  const { app, book } = await bookingWorld();
  const { gateway, outcomes } = gatewayTo(t, exim);
  const acknowledged = () => outcomes.filter(({ outcome }) => outcome.state === 'accepted');
  const killer: EmailGateway = {
    ...gateway,
    // So that some are acknowledged before others are handed over.
    limiter: createLimiter({ name: 'exim', concurrency: 4 }),
    async send(email) {
      if (acknowledged().length >= 6) await exim.kill();
      return gateway.send(email);
    },
  };
  const bookings = 12;
  for (let n = 0; n < bookings; n++)
    await book({ customerPhone: newPhone(), customerEmail: `c${n}@customer.example` });

  await drain({ ...app.context, email: killer });
  const inTime = acknowledged().length;
  assert.ok(inTime >= 6 && inTime < bookings * 2, `killed after ${inTime}`);
  await exim.start();
  await drain({ ...app.context, email: gateway }, { retries: true });

  assert.equal(acknowledged().length, bookings * 2);
  assert.equal(new Set(acknowledged().map(({ reference }) => reference)).size, bookings * 2);
  await exim.deliveredAtLeast(bookings * 2);
  // Exim itself may deliver twice what it was working on when it was killed; the test counts how often it accepted a message.
  const taken = Map.groupBy(exim.delivered(), messageIdOf);
  assert.equal(taken.size, bookings * 2);
  for (const [id, copies] of taken) {
    const times = new Set(copies.map(eximId)).size;
    const unknown = outcomes.filter(
      ({ reference, outcome }) => id === `${reference}@motors.example` && outcome.state === 'unknown',
    ).length;
    assert.ok(times <= 1 + unknown, `taken ${times} times, with ${unknown} unknown outcomes`);
  }
});

test('a reply to an answer’s e-mail is piped into its conversation; a stranger’s comes back with the reason', {
  skip: noExim,
}, async (t) => {
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

  const settings = childEnvironment({
    DATABASE_URL: app.databaseUrl,
    PITLANE_SECRET_KEY: secretKey.toString('hex'),
  });
  const command = [
    process.execPath,
    fileURLToPath(new URL('../src/main.ts', import.meta.url)),
    'inbox receive-mail',
  ];
  const exim = await startExim({ pipe: { domain, command, settings } });
  const transport = createTransport({
    ...{ host: '127.0.0.1', port: exim.port, auth: { user: eximUser.user, pass: eximUser.password } },
    requireTLS: true,
  });
  t.after(() => transport.close());
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
