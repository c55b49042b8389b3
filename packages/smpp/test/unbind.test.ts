/** A carrier that unbinds: what it answers afterwards counts, and what it brings is still acknowledged. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import smpp from 'smpp';
import { until } from '../../../test/harness/wait.ts';
import { openConnection } from '../src/connection.ts';
import { command, encodePdu } from '../src/pdu.ts';
import { bound, connectTo, smsTo, untilBound } from './connect.ts';
import { startSmsc } from './smsc.ts';

const long = 'abcdefghi '.repeat(40);

test('a response after the unbind is an acceptance, and the next message goes over a new connection', async (t) => {
  const smsc = await startSmsc({ answer: (_, id) => ({ id, afterUnbind: id === '1' }) });
  const connected = connectTo(t, smsc.port);
  await untilBound(connected);
  assert.deepEqual(await connected.send(), { state: 'accepted', gatewayId: '1', segmentIds: ['1'] });
  await until('it is bound again', () => smsc.binds.length === 2);
  assert.partialDeepStrictEqual(await connected.send(), { state: 'accepted', gatewayId: '2' });
  assert.deepEqual(
    connected.told.map(({ isConnected, detail }) => [isConnected, detail]),
    [
      [true, 'The connection to the carrier is there.'],
      [false, 'The carrier ended the connection.'],
      [true, 'The connection to the carrier is there.'],
    ],
  );
  await until('the first connection has ended', () => smsc.sessions().length === 1);
});

test('a response after the unbind and after the time-out is a late acceptance', async (t) => {
  const open = Promise.withResolvers<void>();
  const smsc = await startSmsc({
    answer: async ({ session }, id) => {
      session.send(new smpp.PDU('unbind'));
      await open.promise;
      return { id };
    },
  });
  const { gateway, accepted, told } = connectTo(t, smsc.port);
  const controller = new AbortController();
  const sending = gateway.send({ ...smsTo(), reference: 'R' }, controller.signal);
  await until('it has unbound', () => told.some(({ isConnected }) => !isConnected));
  controller.abort();
  assert.partialDeepStrictEqual(await sending, { state: 'unknown', detail: 'The carrier did not answer.' });
  open.resolve();
  await until('it is told', () => accepted.size === 1);
  assert.deepEqual(accepted.get('R'), { state: 'accepted', gatewayId: '1', segmentIds: ['1'] });
});

test('of a long message, parts that were not out before the unbind do not follow; the outcome is unknown', async (t) => {
  const smsc = await startSmsc({ answer: ({ part }, id) => ({ id, afterUnbind: part?.[2] === 1 }) });
  const connected = connectTo(t, smsc.port);
  assert.partialDeepStrictEqual(await connected.send({ body: long }), { state: 'unknown' });
  assert.equal(smsc.submitted.length, 1);
});

test('what a carrier does not answer after its unbind takes no room of the next connection', async (t) => {
  const smsc = await startSmsc({
    answer: ({ session }, id) => {
      if (id !== '1') return { id };
      session.send(new smpp.PDU('unbind'));
      return 'none';
    },
  });
  const connected = connectTo(t, smsc.port, { window: 1 });
  const first = connected.send();
  await until('it has unbound', () => connected.told.some(({ isConnected }) => !isConnected));
  await untilBound(connected);
  assert.equal((await connected.send()).state, 'accepted');
  smsc.sessions()[0]?.destroy();
  assert.partialDeepStrictEqual(await first, { state: 'unknown', detail: 'The carrier did not answer.' });
});

test('a connection that waits for responses after the unbind ends with the gateway', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const carrier = once(server, 'connection');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const closing = new AbortController();
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const connection = openConnection(socket, {
    ...{ enquireLinkMs: 30_000, signal: closing.signal, ended: resolve },
    deliver: async () => 0,
  });
  const request = connection.request(command.submit, Buffer.alloc(0), 60_000);
  const [far] = (await carrier) as [Socket];
  far.on('error', () => undefined);
  far.write(encodePdu({ command: command.unbind, status: 0, sequence: 1, body: Buffer.alloc(0) }));
  assert.equal(await ended, 'The carrier ended the connection.');
  assert.deepEqual([connection.isOpen, socket.writable], [false, true]);
  closing.abort();
  assert.equal(await request, null);
  assert.equal(socket.destroyed, true);
});

test('what a carrier brought before its unbind is acknowledged when it is recorded', async (t) => {
  const { smsc, connected } = await bound(t);
  const recorded = Promise.withResolvers<void>();
  connected.before = recorded.promise;
  const delivered = smsc.receipt('1', 'DELIVRD');
  await until('it is being recorded', () => connected.hears === 1);
  smsc.sessions()[0]?.send(new smpp.PDU('unbind'));
  await until('it is bound again', () => smsc.binds.length === 2);
  recorded.resolve();
  assert.equal(await delivered, 0);
});
