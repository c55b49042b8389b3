/** Clients that disconnect before their response: the permits of their requests are released. */
import assert from 'node:assert/strict';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { until } from '../../../test/harness/wait.ts';
import { admitRequests } from './admission.ts';
import { Connections } from './connections.ts';
import { usualLimits } from './limits.ts';
import { serverFactory } from './listener.ts';
import { respondWithError } from './problem.ts';
import { UnreadMemory } from './unread-memory.ts';

/** A bare server with that number of permits, whose requests at `/checked` and `/slow` wait. */
async function serverWith(permitsAtMost: number) {
  const connections = new Connections(1_000);
  const limits = { ...usualLimits, permitsAtMost, delayRefusedMs: 1 };
  const app = fastify({
    serverFactory: serverFactory(limits, connections, new UnreadMemory(limits)),
  }) as unknown as FastifyInstance;
  app.setErrorHandler(respondWithError);
  admitRequests(app, limits, connections);
  const [checked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let begun = 0;
  const wait = (how: Promise<void>) => async () => {
    begun++;
    await how;
  };
  app.get('/checked', { onRequest: wait(checked.promise) }, async () => ({ ok: true }));
  app.get('/slow', { preHandler: wait(answered.promise) }, async () => ({ ok: true }));
  app.get('/quick', async () => ({ ok: true }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    checked,
    status: async (path: string) =>
      (await fetch(`${url}${path}`, { headers: { connection: 'close' } })).status,
    begun: () => begun,
    /** One connection with that number of requests one behind the other, the first of them begun. */
    async ask(path: string, count: number): Promise<Socket> {
      const before = begun;
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(count));
      await until('the request has begun', async () => begun > before);
      return socket;
    },
    /** Ends the connection, and resolves once the server knows. */
    async leave(socket: Socket): Promise<void> {
      socket.destroy();
      await until(
        'its connection is gone',
        async () => (await new Promise<number>((done) => app.server.getConnections((_, n) => done(n)))) === 0,
      );
    },
    async close(): Promise<void> {
      answered.resolve();
      await app.close();
    },
  };
}

test('a client that disconnects during its token look-up gets no permit afterwards', async () => {
  const { checked, status, ask, leave, close } = await serverWith(1);
  await leave(await ask('/checked', 1));
  checked.resolve();
  assert.equal(await status('/quick'), 200);
  await close();
});

test('a client that disconnects releases its permit, and what it had pipelined is never begun', async () => {
  const { status, ask, begun, leave, close } = await serverWith(2);
  const held = await ask('/slow', 4);
  assert.equal(await status('/slow'), 503);
  await leave(held);
  await leave(await ask('/slow', 4));
  assert.equal(await status('/quick'), 200);
  assert.equal(begun(), 2);
  await close();
});
