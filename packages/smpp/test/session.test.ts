/** The session: how its connection is made, kept, lost and made again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePorts } from '../../../test/harness/ports.ts';
import { until } from '../../../test/harness/wait.ts';
import type { Pdu } from '../src/pdu.ts';
import { connectTo, untilBound } from './connect.ts';
import { startSmsc } from './smsc.ts';

test('before the start, and when nobody listens, a message is refused at once', async (t) => {
  const [port = 0] = await freePorts(1);
  const connected = connectTo(t, port, {
    pauses: { firstMs: 60_000, mostMs: 60_000, refusedMs: 60_000 },
  });
  await until('it has tried', () => connected.told.length === 1);
  assert.deepEqual(connected.told, [
    { isConnected: false, detail: 'The carrier can not be reached (ECONNREFUSED).' },
  ]);
  const refused = {
    state: 'refused',
    permanent: false,
    reason: 'gatewayUnavailable',
    elsewhere: true,
    notAsked: true,
  };
  assert.deepEqual(await connected.send(), {
    ...refused,
    detail: 'The carrier can not be reached (ECONNREFUSED).',
  });
});

test('a message that comes while it connects waits for it', async (t) => {
  const smsc = await startSmsc();
  const connected = connectTo(t, smsc.port);
  assert.equal((await connected.send()).state, 'accepted');
});

test('always: the session reconnects to a carrier that was away, and reports the same failure once', async (t) => {
  const smsc = await startSmsc();
  const connected = connectTo(t, smsc.port);
  await untilBound(connected);
  await smsc.kill();
  await until('it is missed', () => connected.told.at(-1)?.detail.includes('ECONNREFUSED') === true);
  const told = connected.told.length;
  assert.partialDeepStrictEqual(await connected.send(), { state: 'refused', notAsked: true });
  await smsc.start();
  await untilBound(connected);
  assert.equal((await connected.send()).state, 'accepted');
  assert.equal(connected.told.length, told + 1);
  assert.equal(smsc.binds.length, 2);
});

for (const [status, detail] of [
  [0x0e, 'The carrier does not take the password (ESME_RINVPASWD).'],
  [0x0f, 'The carrier does not know the system id (ESME_RINVSYSID).'],
  [0x05, 'The carrier allows this account no further connection (ESME_RALYBND).'],
] as const) {
  test(`a refused bind is reported in words, and tried again after the long pause: ${detail}`, async (t) => {
    let answer: number = status;
    const smsc = await startSmsc({ bind: () => answer });
    const connected = connectTo(t, smsc.port, { pauses: { firstMs: 60_000, mostMs: 60_000, refusedMs: 40 } });
    await until('it was refused twice', () => smsc.binds.length >= 2);
    assert.deepEqual(connected.told, [{ isConnected: false, detail }]);
    assert.partialDeepStrictEqual(await connected.send(), { reason: 'gatewayUnavailable', elsewhere: true });
    answer = 0;
    await untilBound(connected);
    assert.equal((await connected.send()).state, 'accepted');
  });
}

test('a bind for which the carrier is too busy is tried again soon', async (t) => {
  let answer = 0x58;
  const smsc = await startSmsc({ bind: () => answer });
  const pauses = { firstMs: 20, mostMs: 20, refusedMs: 60_000 };
  const connected = connectTo(t, smsc.port, { pauses });
  await until('it was tried twice', () => smsc.binds.length >= 2);
  answer = 0;
  await untilBound(connected);
});

test('a silent carrier gets an enquire_link, and is disconnected when it does not respond', async (t) => {
  let answers = true;
  const smsc = await startSmsc({ answersEnquireLink: () => answers });
  const connected = connectTo(t, smsc.port, { enquireLinkMs: 100 });
  await untilBound(connected);
  let asked = 0;
  smsc.sessions()[0]?.on('enquire_link', () => asked++);
  await until('it was asked again and again', () => asked >= 3);
  assert.equal(connected.told.length, 1);
  answers = false;
  await until('it is left', () => connected.told[1]?.detail === 'The carrier no longer answers.');
  answers = true;
  await untilBound(connected);
  assert.equal((await connected.send()).state, 'accepted');
});

test('the carrier’s enquire_link gets a response, and after its unbind a new connection is made', async (t) => {
  const smsc = await startSmsc();
  const connected = connectTo(t, smsc.port);
  await untilBound(connected);
  const [session] = smsc.sessions();
  const raw = session as unknown as Record<string, (fields: object, heard: (pdu: Pdu) => void) => void>;
  await new Promise<void>((heard) => raw['enquire_link']?.({}, () => heard()));
  await new Promise<void>((heard) => raw['unbind']?.({}, () => heard()));
  await until('it is bound again', () => smsc.binds.length === 2);
  await untilBound(connected);
  assert.equal((await connected.send()).state, 'accepted');
});

test('close unbinds, and lets hand-overs in flight end first', async (t) => {
  const open = Promise.withResolvers<void>();
  const smsc = await startSmsc({
    answer: async (_, id) => {
      await open.promise;
      return { id };
    },
  });
  const connected = connectTo(t, smsc.port);
  const sending = connected.send();
  await until('it was handed over', () => smsc.submitted.length === 1);
  let unbound = false;
  smsc.sessions()[0]?.on('unbind', () => {
    unbound = true;
  });
  const closing = connected.gateway.close();
  assert.partialDeepStrictEqual(await connected.send(), { state: 'refused', notAsked: true });
  assert.equal(unbound, false);
  open.resolve();
  assert.equal((await sending).state, 'accepted');
  await closing;
  assert.equal(unbound, true);
  await until('the connection is gone', () => smsc.sessions().length === 0);
  assert.equal(smsc.binds.length, 1);
});

test('close waits less than five seconds for a carrier that does not respond', async (t) => {
  const smsc = await startSmsc({ answer: () => 'none' });
  const connected = connectTo(t, smsc.port);
  void connected.send();
  await until('it was handed over', () => smsc.submitted.length === 1);
  for (const { socket } of smsc.sessions()) socket.pause();
  const startedAt = performance.now();
  await connected.gateway.close();
  assert.ok(performance.now() - startedAt < 5_000);
});
