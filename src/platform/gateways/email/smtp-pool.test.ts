/**
 * The pool keeps connections and uses them again; a connection that the server has dropped neither loses nor repeats an e-mail.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { dkim } from '../../../../test/fixtures/dkim.ts';
import { email, gatewayTo, mailServer, scriptedServer } from '../../../../test/fixtures/mail-server.ts';

const numbered = (n: number) => ({ ...email, reference: `${email.reference}-${n}` });
const accepted = (outcomes: readonly { readonly state: string }[]) =>
  outcomes.every(({ state }) => state === 'accepted');

test('many e-mails at once all go out, over a few connections', async (t) => {
  const server = await mailServer(t);
  const gateway = gatewayTo(t, server.port);
  assert.ok(accepted(await Promise.all(Array.from({ length: 30 }, (_, n) => gateway.send(numbered(n))))));
  assert.equal(server.received.length, 30);
  assert.ok(server.connections() <= 5);
});

test('a connection carries a hundred e-mails, then it is replaced', async (t) => {
  const server = await scriptedServer(t, () => null);
  const gateway = gatewayTo(t, server.port);
  for (let n = 0; n < 101; n++) assert.equal((await gateway.send(numbered(n))).state, 'accepted');
  assert.equal(server.received.length, 101);
  assert.equal(server.connections(), 2);
});

test('a server that ends idle connections loses no e-mail, whatever way it ends them', async (t) => {
  const sockets = new Set<Socket>();
  const server = await scriptedServer(t, (_line, { socket }) => {
    sockets.add(socket);
    return null;
  });
  const gateway = gatewayTo(t, server.port);
  let sent = 0;
  for (const end of [
    (socket: Socket) => socket.end(),
    (socket: Socket) => socket.end('421 4.4.2 idle for too long\r\n'),
    (socket: Socket) => socket.destroy(),
    (socket: Socket) => socket.resetAndDestroy(),
  ]) {
    assert.ok(accepted(await Promise.all([1, 2, 3, 4, 5].map(() => gateway.send(numbered(++sent))))));
    // Also before the gateway notices.
    for (const socket of sockets) end(socket);
    sockets.clear();
    assert.ok(accepted(await Promise.all([1, 2, 3, 4, 5].map(() => gateway.send(numbered(++sent))))));
  }
  assert.equal(server.received.length, sent);
});

for (const [kind, settings] of [
  ['unsigned', { dkim: null }],
  ['signed', { dkim }],
] as const) {
  test(`when all pooled connections turn out to be dropped at the next command, a new one is made (${kind})`, async (t) => {
    let isRestarted = false;
    const server = await scriptedServer(t, (line, { socket, number }) => {
      if (!isRestarted || number > 5 || !line.startsWith('MAIL')) return null;
      socket.destroy();
      return '';
    });
    const gateway = gatewayTo(t, server.port, settings);
    assert.ok(accepted(await Promise.all([1, 2, 3, 4, 5].map((n) => gateway.send(numbered(n))))));
    isRestarted = true;
    assert.equal((await gateway.send(numbered(6))).state, 'accepted');
    assert.equal(server.received.length, 6);
  });
}

test('close ends the connections, and a later e-mail is not sent', async (t) => {
  let last: Socket | undefined;
  const server = await scriptedServer(t, (_line, { socket }) => {
    last = socket;
    return null;
  });
  const gateway = gatewayTo(t, server.port);
  await gateway.send(email);
  assert.ok(last);
  const closed = once(last, 'close');
  await gateway.close();
  await closed;
  const outcome = await gateway.send(email);
  assert.ok(outcome.state === 'refused' && !outcome.permanent);
  assert.equal(server.received.length, 1);
});
