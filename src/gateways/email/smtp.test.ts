import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { EmailGateway, OutboundEmail } from './gateway.ts';
import { smtpGateway } from './smtp.ts';

const from = 'Main St Motors <noreply@motors.example>';
const email: OutboundEmail = {
  reference: '01980000-0000-7000-8000-000000000001',
  to: 'ann@example.com',
  subject: 'Your booking – Zoë',
  text: 'Plain words – Zoë',
  html: '<p>Rich words</p>',
  calendar: null,
};

interface Mailbox {
  readonly gateway: EmailGateway;
  readonly received: string[];
}

/** An SMTP server on a free port of loopback, and a gateway to it; both end with the test. */
async function mailbox(t: TestContext, options: SMTPServerOptions = {}, query = ''): Promise<Mailbox> {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      readText(stream).then((mail) => {
        received.push(mail);
        done();
      }, done);
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const gateway = smtpGateway({ url: `smtp://127.0.0.1:${port}${query}`, from });
  t.after(async () => {
    await gateway.close();
    await new Promise<void>((resolve) => void server.close(resolve));
  });
  return { gateway, received };
}

function answer(status: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode: status });
}

test('an e-mail goes out with a text and an HTML part, under our reference', async (t) => {
  const { gateway, received } = await mailbox(t);
  const outcome = await gateway.send(email);
  const messageId = `<${email.reference}@motors.example>`;
  assert.deepEqual(outcome, { state: 'accepted', gatewayId: messageId });
  const [mail = ''] = received;
  assert.ok(mail.includes(`Message-ID: ${messageId}\r\n`));
  assert.ok(mail.includes('From: Main St Motors <noreply@motors.example>\r\n'));
  assert.ok(mail.includes('To: ann@example.com\r\n'));
  assert.match(mail, /^Content-Type: multipart\/alternative/m);
  assert.match(mail, /^Content-Type: text\/plain; charset=utf-8/m);
  assert.match(mail, /^Content-Type: text\/html; charset=utf-8/m);
  assert.doesNotMatch(mail, /calendar/);
});

test('a calendar entry goes as an alternative with its method, and as invite.ics', async (t) => {
  const { gateway, received } = await mailbox(t);
  const content = 'BEGIN:VCALENDAR\r\nMETHOD:CANCEL\r\nEND:VCALENDAR\r\n';
  await gateway.send({ ...email, calendar: { method: 'CANCEL', content } });
  const [mail = ''] = received;
  assert.match(mail, /^Content-Type: text\/calendar; charset=utf-8; method=CANCEL/m);
  assert.match(mail, /filename=invite\.ics/);
  assert.ok(mail.includes(Buffer.from(content).toString('base64')));
});

test('line breaks in a subject make no headers, and an address is never a list', async (t) => {
  const recipients: string[] = [];
  const { gateway, received } = await mailbox(t, {
    onRcptTo(address, _session, done) {
      recipients.push(address.address);
      done();
    },
  });
  await gateway.send({ ...email, subject: 'Hi\r\nBcc: eve@example.com' });
  assert.doesNotMatch(received[0] ?? '', /^Bcc:/m);
  assert.deepEqual(recipients, ['ann@example.com']);
  await gateway.send({ ...email, to: 'ann@example.com, eve@example.com' });
  assert.ok(!recipients.includes('eve@example.com'));
});

test('a recipient or text refused with 5xx is refused for good, in the words of the server', async (t) => {
  const { gateway } = await mailbox(t, {
    onRcptTo: (_address, _session, done) => done(answer(550, 'No such person')),
  });
  assert.deepEqual(await gateway.send(email), {
    state: 'refused',
    permanent: true,
    reason: 'refused',
    detail: '550 No such person',
  });
  const { gateway: strict } = await mailbox(t, {
    onData(stream, _session, done) {
      stream.resume();
      stream.on('end', () => done(answer(554, 'Looks like spam')));
    },
  });
  const outcome = await strict.send(email);
  assert.deepEqual(outcome, {
    state: 'refused',
    permanent: true,
    reason: 'refused',
    detail: '554 Looks like spam',
  });
});

test('4xx is temporary: the same e-mail may go through later', async (t) => {
  let calls = 0;
  const { gateway, received } = await mailbox(t, {
    onRcptTo: (_address, _session, done) => (calls++ ? done() : done(answer(451, 'Greylisted, come back'))),
  });
  assert.deepEqual(await gateway.send(email), {
    state: 'refused',
    permanent: false,
    reason: 'temporarilyRefused',
    detail: '451 Greylisted, come back',
  });
  assert.equal((await gateway.send(email)).state, 'accepted');
  assert.equal(received.length, 1);
});

test('what only the operator can put right is temporary: sender, sign-in, TLS, no server', async (t) => {
  const { gateway: noSender } = await mailbox(t, {
    onMailFrom: (_address, _session, done) => done(answer(550, 'Not your domain')),
  });
  const { gateway: noSignIn } = await mailbox(t, {
    onRcptTo: (_address, _session, done) => done(answer(530, 'Sign in first')),
  });
  const { gateway: noTls, received } = await mailbox(t, {}, '?requireTLS=true');
  const noServer = smtpGateway({ url: 'smtp://127.0.0.1:1', from });
  t.after(() => noServer.close());
  for (const gateway of [noSender, noSignIn, noTls, noServer]) {
    const outcome = await gateway.send(email);
    assert.ok(outcome.state === 'refused');
    assert.equal(outcome.permanent, false, outcome.detail);
    assert.equal(outcome.reason, 'gatewayUnavailable', outcome.detail);
  }
  assert.equal(received.length, 0);
});

test('a wrong password is temporary and stays out of the outcome', async (t) => {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(answer(535, 'Bad credentials')),
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const gateway = smtpGateway({ url: `smtp://user:s3cret@127.0.0.1:${port}`, from });
  t.after(async () => {
    await gateway.close();
    await new Promise<void>((resolve) => void server.close(resolve));
  });
  const outcome = await gateway.send(email);
  assert.ok(outcome.state === 'refused' && !outcome.permanent);
  assert.equal(outcome.reason, 'gatewayUnavailable');
  assert.doesNotMatch(outcome.detail, /s3cret/);
});

test('a connection that breaks in the middle is temporary', async (t) => {
  const server = createServer((socket) => socket.end('220 mail ESMTP\r\n')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const gateway = smtpGateway({ url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, from });
  t.after(async () => {
    await gateway.close();
    server.close();
  });
  const outcome = await gateway.send(email);
  assert.ok(outcome.state === 'refused' && !outcome.permanent);
  assert.equal(outcome.reason, 'gatewayUnavailable');
});

test('many e-mails at once all go out, over a few connections', async (t) => {
  let connections = 0;
  const { gateway, received } = await mailbox(t, {
    onConnect(_session, done) {
      connections++;
      done();
    },
  });
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, (_, n) => gateway.send({ ...email, reference: `${email.reference}-${n}` })),
  );
  assert.ok(outcomes.every(({ state }) => state === 'accepted'));
  assert.equal(received.length, 30);
  assert.ok(connections <= 5);
});
