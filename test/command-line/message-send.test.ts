/** `pitlane message send`, and `inbox show|reply` by phone and booking code: staff text customers, within the limits of everybody's. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { main } from '#commands/program.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { createTemplate } from '#product/templates/create.ts';
import { publishTemplate } from '#product/templates/publish.ts';
import { inboundWorld } from '../fixtures/inbound.ts';
import { startTestApp } from '../harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../harness/world.ts';
import { fail, json, succeed } from './run.ts';

const app = await startTestApp();
const { db, clock } = app.context;
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner], { name: 'Harbour', slug: 'harbour' });
await linkedWorkshop(app, [partner], { name: 'Other', slug: 'other' });
const env = { DATABASE_URL: app.databaseUrl, PITLANE_WORKSHOP: 'harbour' };
const made = await partner.call('POST', '/bookings', bookingBody(workshopId, { skipNotification: true }));
const { booking } = made.body;

const run = (...args: string[]) => json(args, env);
const fails = (code: number, message: RegExp, ...args: string[]) => fail(args, env, code, message);
const send = (...args: string[]) => run('message', 'send', ...args);
const textsTo = async (phone: string) => {
  await app.drain();
  return app.sms.to(phone).map(({ body }) => body);
};

test('to a phone that nobody knew yet, which becomes a customer; a booking; a customer', async () => {
  const words = ['--phone', '0491 570 156', '--text', ' Your car is ready. '];
  await fails(2, /--reason is needed: no booking has this number/, 'message', 'send', ...words);
  await fails(2, /--reason must have 3 to 255/, 'message', 'send', ...words, '--reason', 'x');
  assert.deepEqual(await run('customer', 'list', '--phone', '0491 570 156'), []);
  const first = await send(...words, '--reason', 'Left the keys\nhere');
  const kept = `SELECT customer_id, reason, abroad_allowed, actor FROM texting_ground WHERE phone = '+61491570156'`;
  assert.deepEqual(await db.query(kept), [
    {
      customerId: first.customerId,
      reason: 'Left the keys here',
      abroadAllowed: false,
      actor: 'operator',
    },
  ]);
  assert.deepEqual([first.encoding, first.segments], ['gsm7', 1]);
  assert.deepEqual(await textsTo('+61491570156'), ['Your car is ready.']);
  const again = await send('--customer', first.customerId, '--text', 'Until six.');
  assert.equal(again.conversationId, first.conversationId);
  const theirs = await send('--booking', booking.code.toLowerCase(), '--text', 'Call us.');
  assert.equal(theirs.customerId, booking.customerId);
  assert.deepEqual(await textsTo(booking.customer.phone), ['Call us.']);
  const [row] = await db.query('SELECT kind, partner_id, booking_id FROM message WHERE id = $1', [
    theirs.messageId,
  ]);
  assert.deepEqual(row, { kind: 'reply', partnerId: null, bookingId: booking.id });
  // It is no partner's: none reads it.
  const seen = await partner.call('GET', `/workshops/${workshopId}/messages/${theirs.messageId}`);
  assert.equal(seen.status, 404);
});

test('by a template, by its name or id; only one that is published, and with the booking that it needs', async () => {
  const write = (name: string, body: string) =>
    createTemplate({ db, clock }, { workshopId, name, body }, actors.operator);
  const ready = await write('Ready', 'Hi {{ customer.firstName }}, {{ car.rego }} is ready.');
  const by = ['--booking', booking.code, '--template'];
  await fails(2, /--template is not a published inbox template/, 'message', 'send', ...by, 'ready');
  await publishTemplate({ db, clock }, ready.templateId, actors.operator);
  const { messageId } = await send(...by, 'ready');
  await send(...by, ready.templateId);
  assert.deepEqual((await textsTo(booking.customer.phone)).slice(-2), [
    'Hi Sam, ABC123 is ready.',
    'Hi Sam, ABC123 is ready.',
  ]);
  const [row] = await db.query('SELECT template_id, template_version FROM message WHERE id = $1', [
    messageId,
  ]);
  assert.deepEqual(row, { templateId: ready.templateId, templateVersion: 1 });
  const alone = ['message', 'send', '--phone', '0491 570 157', '--template', 'Ready'];
  await fails(2, /--template needs a booking: name one with --booking/, ...alone);
  // What is refused leaves no customer behind.
  assert.deepEqual(await run('customer', 'list', '--phone', '0491 570 157'), []);
  await fails(2, /--template is not a published/, 'message', 'send', ...by, newId());
});

const why = 'They asked for it';

test('opt-outs bind; five within a second are accepted, partners and staff together; bad options are named (specification: Limits 5)', async () => {
  const { customerId } = await send('--phone', '0491 570 110', '--text', 'One', '--reason', why);
  for (const text of ['Two', 'Three']) await send('--customer', customerId, '--text', text);
  const stamp = `UPDATE message_rate SET passed = ARRAY(SELECT clock_timestamp() + interval '0.9 s' FROM generate_series(1, 5)) WHERE person = $1`;
  await db.query(stamp, ['+61491570110']);
  const more = ['message', 'send', '--customer', customerId, '--text', 'Six'];
  await fails(1, /5 SMS within a second/, ...more);
  assert.deepEqual(await textsTo('+61491570110'), ['One', 'Two', 'Three']);
  await setOptedOut({ db, clock }, customerId, true, actors.operator);
  await fails(1, /has opted out of SMS from this workshop/, ...more);

  const phone = ['--phone', '0491 570 156'];
  for (const [message, ...args] of [
    [/one of --text and --template/, ...phone],
    [/one of --text and --template/, ...phone, '--text', 'x', '--template', 'y'],
    [/one of --phone, --booking and --customer/, '--text', 'x'],
    [/one of --phone, --booking and --customer/, ...phone, '--booking', 'x', '--text', 'x'],
    [/--phone is not a phone number in AU/, '--phone', '12', '--text', 'x'],
    [/--text must not be blank/, ...phone, '--text', ' '],
    [/--text is 11 SMS segments long/, ...phone, '--text', 'x'.repeat(1_600)],
  ] as const) {
    await fails(2, message, 'message', 'send', ...args);
  }
  await fails(1, /there is no booking/, 'message', 'send', '--booking', '7K3M9QXW', '--text', 'x');
  const elsewhere = ['--customer', customerId, '--workshop', 'other', '--text', 'x'];
  await fails(1, /the customer is not one of Other/, 'message', 'send', ...elsewhere);
  const nowhere = { DATABASE_URL: app.databaseUrl };
  const unnamed = ['message', 'send', ...phone, '--text', 'x'];
  await fail(unnamed, nowhere, 2, /name the workshop: --workshop harbour, or other/);
});

test('inbox show and reply: by the phone as people write it, or the code of a booking', async () => {
  const { conversationId } = await run('inbox', 'show', '0491 570 006');
  assert.equal((await run('inbox', 'show', booking.code)).conversationId, conversationId);
  const replied = await run('inbox', 'reply', booking.code, '--text', 'At 5 pm.');
  assert.equal(replied.conversationId, conversationId);
  await run('inbox', 'reply', '+61 491 570 006', '--text', 'Or at 6.');
  assert.deepEqual((await textsTo('+61491570006')).slice(-2), ['At 5 pm.', 'Or at 6.']);
  assert.match((await succeed(['inbox', 'show', booking.code], env)).stdout, /phone +0491 570 006\n/);
  await fails(
    1,
    /no conversation of Harbour with \+61491570158: pitlane message send --phone \+61491570158/,
    ...['inbox', 'reply', '0491 570 158', '--text', 'x'],
  );
  await fails(1, /there is no conversation nobody/, 'inbox', 'show', 'nobody');
});

test('inbox show: long texts are wrapped, and no line of a customer looks like one of ours', async () => {
  const { answer } = inboundWorld(app);
  const long = 'The brakes squeak whenever it rains and I turn left. '.repeat(4).trim();
  await answer('+61491570006', `${long}\n2030-01-01 09:00  workshop  accepted\nDone`);
  const lines: string[] = [];
  const stdout = { isTTY: true, columns: 60, write: (text: string) => lines.push(...text.split('\n')) };
  const code = await main(
    ['inbox', 'show', booking.code],
    { ...env, NO_COLOR: '1' },
    { stdout, stderr: { write: () => 0 } },
  );
  assert.equal(code, 0);
  const shown = lines.slice(lines.findIndex((line) => line.includes('  customer  received')) + 1);
  assert.ok(shown.every((line) => line.length <= 60));
  assert.equal(
    shown
      .slice(0, 4)
      .map((line) => line.trim())
      .join(' '),
    long,
  );
  assert.deepEqual(shown.slice(4, 6), ['  2030-01-01 09:00  workshop  accepted', '  Done']);
});
