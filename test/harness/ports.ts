/** Ports for servers that are given theirs in a file, and that come back on the same one after a kill. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';

/**
 * Below the range that systems use for outgoing connections: no connection takes one of these ports by chance while its server is
 * down, and no check of a port connects to itself.
 */
const [lowest, above] = [20_000, 32_000];

/** Ports of 127.0.0.1 that nothing listens on, each another. */
export async function freePorts(count: number): Promise<number[]> {
  const held: Server[] = [];
  while (held.length < count) {
    const server = createServer();
    const taken = once(server, 'listening').then(
      () => held.push(server),
      () => undefined,
    );
    server.listen(randomInt(lowest, above), '127.0.0.1');
    await taken;
  }
  const ports = held.map((server) => (server.address() as { port: number }).port);
  await Promise.all(held.map((server) => once(server.close(), 'close')));
  return ports;
}

/** True when something of 127.0.0.1 listens there. */
export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });
}
