/** A proxy to PostgreSQL that counts round trips: from outside, so that it counts those of any build. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { byPort, connectToDatabase } from '../../test/fixtures/database-socket.ts';

export interface CountingProxy {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** Since its start, over all connections: times that a client has sent something and waited for the answer. */
  roundTrips(): number;
  /** True when nothing that was sent waits for its answer. */
  isQuiet(): boolean;
  /** Breaks every connection. */
  close(): Promise<void>;
}

/** What ends a request of a client, as the protocol names it: Query and Sync; and the server's ReadyForQuery. */
const asks = new Set(['Q', 'S']);
const ready = 'Z';

export async function countingProxy(databaseUrl: string): Promise<CountingProxy> {
  const sockets = new Set<Socket>();
  let roundTrips = 0;
  let waiting = 0;
  const server = createServer((socket) => {
    const onward = connectToDatabase(databaseUrl);
    let outstanding = 0;
    const isAsked = eachMessage(true, (type) => {
      if (!asks.has(type)) return;
      // What is sent while an answer is still to come shares its round trip.
      if (outstanding === 0) roundTrips++;
      outstanding++;
      waiting++;
    });
    const isAnswered = eachMessage(false, (type) => {
      // The first comes after the sign-in, which nobody asked for by a query.
      if (type !== ready || outstanding === 0) return;
      outstanding--;
      waiting--;
    });
    socket.on('data', isAsked);
    onward.on('data', isAnswered);
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      from.setNoDelay(true);
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        waiting -= outstanding;
        outstanding = 0;
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: byPort(databaseUrl, (server.address() as AddressInfo).port),
    roundTrips: () => roundTrips,
    isQuiet: () => waiting === 0,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Cuts what comes into messages: a type, four bytes of length, and the rest. A client's first has no type. */
function eachMessage(isClient: boolean, tell: (type: string) => void): (chunk: Buffer) => void {
  let head: Buffer = Buffer.alloc(0);
  let toSkip = 0;
  let isFirst = isClient;
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      const skipped = Math.min(toSkip, chunk.length - at);
      toSkip -= skipped;
      at += skipped;
      if (toSkip > 0 || at === chunk.length) continue;
      const typeBytes = isFirst ? 0 : 1;
      const taken = chunk.subarray(at, at + typeBytes + 4 - head.length);
      head = Buffer.concat([head, taken]);
      at += taken.length;
      if (head.length < typeBytes + 4) continue;
      if (!isFirst) tell(String.fromCharCode(head[0] ?? 0));
      // The length counts itself.
      toSkip = head.readUInt32BE(typeBytes) - 4;
      head = Buffer.alloc(0);
      isFirst = false;
    }
  };
}
