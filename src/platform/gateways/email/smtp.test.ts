/** The outcome of each response of a mail server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dkim } from '../../../../test/fixtures/dkim.ts';
import {
  email,
  from,
  gatewayTo,
  mailServer,
  scriptedServer,
  smtpRefusal,
} from '../../../../test/fixtures/mail-server.ts';

test('an accepted e-mail has our Message-ID and the server’s text', async (t) => {
  const { port, received } = await scriptedServer(t, () => null);
  assert.deepEqual(await gatewayTo(t, port).send(email), {
    state: 'accepted',
    gatewayId: `<${email.reference}@motors.example>`,
    answer: '250 2.0.0 Ok: queued as 1',
  });
  assert.equal(received.length, 1);
});

test('a recipient or text refused with 5xx is refused permanently, with the server’s text', async (t) => {
  const { port } = await mailServer(t, {
    onRcptTo: (_address, _session, done) => done(smtpRefusal(550, 'No such person')),
  });
  assert.deepEqual(await gatewayTo(t, port).send(email), {
    state: 'refused',
    permanent: true,
    reason: 'invalidAddress',
    detail: '550 No such person',
  });
  const strict = await scriptedServer(t, (line) => (line === '.' ? '554 5.7.1 Looks like spam' : null));
  assert.deepEqual(await gatewayTo(t, strict.port).send(email), {
    state: 'refused',
    permanent: true,
    reason: 'refused',
    detail: '554 5.7.1 Looks like spam',
  });
});

test('the server’s text is cut to one bounded line without addresses', async (t) => {
  const { port } = await scriptedServer(t, (line) =>
    line.startsWith('RCPT')
      ? `550-5.1.1 <ann@example.com>: \u001b[31mask eve@example.com,\r\n550 5.1.1 ${'then others '.repeat(100)}`
      : null,
  );
  const outcome = await gatewayTo(t, port).send(email);
  assert.ok(outcome.state === 'refused' && outcome.permanent);
  assert.match(outcome.detail, /^550-5\.1\.1 <…>: \[31mask …, 550 5\.1\.1 then others then/);
  assert.ok(outcome.detail.length <= 500);
});

test('4xx is temporary: the same e-mail may go through later', async (t) => {
  for (const command of ['MAIL', 'RCPT', 'DATA', '.']) {
    let calls = 0;
    const { port, received } = await scriptedServer(t, (line) =>
      line.startsWith(command) && calls++ === 0 ? '451 4.7.1 Greylisted, come back' : null,
    );
    const gateway = gatewayTo(t, port);
    assert.deepEqual(
      await gateway.send(email),
      {
        state: 'refused',
        permanent: false,
        reason: 'temporarilyRefused',
        detail: '451 4.7.1 Greylisted, come back',
      },
      command,
    );
    received.length = 0;
    assert.equal((await gateway.send(email)).state, 'accepted');
    assert.equal(received.length, 1);
  }
});

test('faults that only the operator can correct are temporary: greeting, sender, sign-in, 421, no server', async (t) => {
  const says = (command: string, words: string) =>
    scriptedServer(t, (line) => (line.replace('HELO', 'EHLO').startsWith(command) ? words : null));
  for (const [server, problem] of [
    [await says('EHLO', '554 5.7.1 Not you'), ''],
    [
      await says('MAIL', '550 5.7.1 Not your domain'),
      'The mail server takes no e-mail from PITLANE_MAIL_FROM: ',
    ],
    [
      await says('MAIL', '530 5.7.0 Must issue a STARTTLS command first'),
      'The mail server wants a sign-in, or TLS before it (SMTP_URL, SMTP_TLS): ',
    ],
    [
      await says('RCPT', '530 5.7.0 Sign in first'),
      'The mail server wants a sign-in, or TLS before it (SMTP_URL, SMTP_TLS): ',
    ],
    [await says('MAIL', '421 4.3.2 Shutting down'), ''],
    [await says('RCPT', '421 4.3.2 Shutting down'), ''],
    [await says('DATA', '421 4.3.2 Shutting down'), ''],
    [await says('.', '421 4.3.2 Shutting down'), ''],
    [{ port: 1 }, "The mail server can't be reached: connect ECONNREFUSED"],
  ] as const) {
    const outcome = await gatewayTo(t, server.port).send(email);
    assert.ok(outcome.state === 'refused');
    assert.equal(outcome.permanent, false, outcome.detail);
    assert.equal(outcome.reason, 'gatewayUnavailable', outcome.detail);
    assert.ok(outcome.detail.startsWith(problem), outcome.detail);
    assert.match(outcome.detail.slice(problem.length), /^(?:\d{3} | 127)/);
  }
});

test('a size that the server does not accept is refused permanently', async (t) => {
  for (const command of ['MAIL', '.']) {
    const { port } = await scriptedServer(t, (line) =>
      line.startsWith(command) ? '552 5.3.4 Too big' : null,
    );
    assert.deepEqual(await gatewayTo(t, port).send(email), {
      state: 'refused',
      permanent: true,
      reason: 'refused',
      detail: '552 5.3.4 Too big',
    });
  }
});

for (const [kind, settings] of [
  ['unsigned', { dkim: null }],
  ['signed', { dkim }],
] as const) {
  test(`a connection lost before the message went has a known outcome: not sent (${kind}) (specification: Notices 29)`, async (t) => {
    for (const command of ['EHLO', 'MAIL', 'RCPT', 'DATA']) {
      const { port, received } = await scriptedServer(t, (line, { socket }) => {
        if (line.startsWith(command)) socket.destroy();
        return null;
      });
      const outcome = await gatewayTo(t, port, settings).send(email);
      assert.ok(outcome.state === 'refused' && !outcome.permanent, command);
      assert.equal(outcome.reason, 'gatewayUnavailable');
      assert.equal(received.length, 0);
    }
  });

  test(`a connection lost within the message has a known outcome: not sent (${kind}) (specification: Notices 29)`, async (t) => {
    const { port, received } = await scriptedServer(t, (line, { socket }) => {
      if (line === 'DATA') socket.once('data', () => socket.destroy());
      return null;
    });
    // More than the buffers of both sides hold.
    const text = `${'x'.repeat(70)}\n`.repeat(400_000);
    const outcome = await gatewayTo(t, port, settings).send({ ...email, text });
    assert.ok(outcome.state === 'refused' && outcome.reason === 'gatewayUnavailable', outcome.state);
    assert.equal(received.length, 0);
  });

  test(`a connection lost after the whole message, or an unreadable response, leaves the outcome unknown, without a repeat (${kind})`, async (t) => {
    for (const lose of ['end', 'destroy', 'babble'] as const) {
      const { port, received } = await scriptedServer(t, (line, { socket }) => {
        if (line !== '.') return null;
        if (lose === 'babble') return 'so long';
        socket[lose]();
        return '';
      });
      const outcome = await gatewayTo(t, port, settings).send(email);
      assert.equal(outcome.state, 'unknown', lose);
      assert.equal(received.length, 1);
    }
  });
}

test('a repeated e-mail has the same Message-ID', async (t) => {
  let calls = 0;
  const { port, received } = await scriptedServer(t, (line, { socket }) => {
    if (line !== '.' || calls++ > 0) return null;
    socket.destroy();
    return '';
  });
  const gateway = gatewayTo(t, port);
  assert.deepEqual(
    [(await gateway.send(email)).state, (await gateway.send(email)).state],
    ['unknown', 'accepted'],
  );
  const ids = received.map((mail) => /^Message-ID: (.*)$/m.exec(String(mail))?.[1]);
  assert.deepEqual(ids, [`<${email.reference}@${from.address.split('@')[1]}>`, ids[0]]);
});

test('a missing response has an outcome by how far the e-mail had come', async (t) => {
  const limits = { connectWithinMs: 5_000, responseWithinMs: 200, sendWithinMs: 60_000 };
  for (const [command, state] of [
    ['EHLO', 'refused'],
    ['MAIL', 'refused'],
    ['DATA', 'refused'],
    ['.', 'unknown'],
  ] as const) {
    const { port } = await scriptedServer(t, (line) => (line.startsWith(command) ? '' : null));
    const outcome = await gatewayTo(t, port, {}, limits).send(email);
    assert.equal(outcome.state, state, command);
    if (outcome.state === 'refused') {
      assert.deepEqual([outcome.permanent, outcome.reason], [false, 'gatewayUnavailable']);
    }
  }
});

test('a server that drips its response is given up, and so is a send that waits too long for a connection', async (t) => {
  const { port, received } = await scriptedServer(t, (line, { socket }) => {
    if (!line.startsWith('EHLO')) return null;
    const drip = setInterval(() => socket.write('250-more\r\n'), 20);
    socket.once('close', () => clearInterval(drip));
    return '';
  });
  const limits = { connectWithinMs: 30_000, responseWithinMs: 30_000, sendWithinMs: 300 };
  const gateway = gatewayTo(t, port, {}, limits);
  for (const outcome of await Promise.all(Array.from({ length: 8 }, () => gateway.send(email)))) {
    assert.deepEqual(outcome, {
      state: 'refused',
      permanent: false,
      reason: 'gatewayUnavailable',
      detail: 'The mail server did not take the e-mail in time: Message sending aborted',
    });
  }
  assert.equal(received.length, 0);
});
