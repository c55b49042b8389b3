/** E-mail through a real mail server: delivery, refusals, and a server that is killed under load. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '#platform/context.ts';
import type { EmailGateway } from '#platform/gateways/email/gateway.ts';
import { createLimiter } from '#platform/gateways/limiter/limiter.ts';
import { bookingWorld } from './fixtures/booking-api.ts';
import { verdict } from './fixtures/dkim.ts';
import { gatewayToExim, trustExim } from './fixtures/exim-gateway.ts';
import { newPhone } from './fixtures/messaging.ts';
import { drain } from './harness/drain.ts';
import { messageIdOf, noExim, startExim } from './harness/exim.ts';
import { expectErrors } from './harness/log.ts';

/** The id of the message in the server's queue. */
const eximId = (mail: Buffer) => /\sid ([\w-]{16,23})\s/.exec(String(mail))?.[1] ?? '';

test('a booking’s e-mails arrive, signed, and refusals are outcomes', { skip: noExim }, async (t) => {
  trustExim(t);
  expectErrors(/550 there is no such person/);
  const exim = await startExim();
  const { app, book } = await bookingWorld();
  const { gateway } = gatewayToExim(t, exim);
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

  const wrong = gatewayToExim(t, exim, 'guess');
  await book({ customerEmail: 'sam2@customer.example' });
  await drain({ ...context, email: wrong.gateway });
  assert.deepEqual(await state('sam2@customer.example'), {
    state: 'failed',
    reason: 'gatewayUnavailable',
    detail:
      'The mail server does not take the user and password (SMTP_URL, SMTP_PASSWORD): 535 Incorrect authentication data',
  });
});

test('always: killed under load and started again: each e-mail arrives, and none twice that was acknowledged', {
  skip: noExim,
}, async (t) => {
  trustExim(t);
  const exim = await startExim();
  const { app, book } = await bookingWorld();
  const { gateway, outcomes } = gatewayToExim(t, exim);
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
