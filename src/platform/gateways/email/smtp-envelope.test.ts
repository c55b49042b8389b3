/** What the server hears before the message: our name, the sender and the recipient. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { email, from, gatewayTo, mailServer, scriptedServer } from '../../../../test/fixtures/mail-server.ts';

test('the server is greeted by the name of the settings, not by that of the machine', async (t) => {
  const heard: string[] = [];
  const { port } = await scriptedServer(t, (line) => {
    if (/^(?:EHLO|HELO)/.test(line)) heard.push(line);
    return line.startsWith('EHLO') ? '502 5.5.1 only HELO here' : null;
  });
  assert.equal((await gatewayTo(t, port, { name: 'pitlane.motors.example' }).send(email)).state, 'accepted');
  assert.deepEqual(heard, ['EHLO pitlane.motors.example', 'HELO pitlane.motors.example']);
});

test('an address is never read as a list', async (t) => {
  const recipients: string[] = [];
  const { port } = await mailServer(t, {
    onRcptTo(address, _session, done) {
      recipients.push(address.address);
      done();
    },
  });
  const gateway = gatewayTo(t, port);
  await gateway.send(email);
  await gateway.send({ ...email, to: 'ann@example.com, eve@example.com' });
  await gateway.send({ ...email, to: 'ann@example.com>\r\nRCPT TO:<eve@example.com' });
  assert.ok(!recipients.includes('eve@example.com'), String(recipients));
});

test('an envelope sender of its own gets the bounces, and is in no header', async (t) => {
  const envelopes: unknown[] = [];
  const { port, received } = await mailServer(t, {
    onRcptTo({ address }, { envelope: { mailFrom } }, done) {
      envelopes.push([mailFrom === false ? '' : mailFrom.address, address]);
      done();
    },
  });
  const gateway = gatewayTo(t, port);
  const envelopeSender = 'bounce+1@reply.motors.example';
  await gateway.send({ ...email, envelopeSender });
  await gateway.send({ ...email, envelopeSender, to: 'ann@example.com>, <eve@example.com' });
  await gateway.send({ ...email, envelopeSender: null });
  assert.deepEqual(envelopes[0], [envelopeSender, email.to]);
  assert.deepEqual(envelopes.at(-1), [from.address, email.to]);
  assert.ok(!JSON.stringify(envelopes).includes('"eve@'), JSON.stringify(envelopes));
  assert.match(String(received[0]), /^From: Main St Motors <noreply@motors\.example>/m);
  assert.ok(!String(received[0]).includes('bounce+'));
});
