/** A fixed address in front of a PostgreSQL that stops and starts. */
import { createServer, type Server, type Socket } from 'node:net';
import { connectToDatabase } from '../fixtures/database-socket.ts';

export interface Door {
  readonly port: number;
  /** From now on connections go to the PostgreSQL of this URL. */
  open(databaseUrl: string): Promise<void>;
  /** Accepts no more connections; open ones are left to their ends. */
  close(): Promise<void>;
  /** Closes, and cuts the remaining connections. */
  remove(): Promise<void>;
}

/** Takes a free port; `open` before use. */
export async function makeDoor(): Promise<Door> {
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  let port = 0;

  function listen(databaseUrl: string): Promise<void> {
    const listening = createServer((from) => {
      const to = connectToDatabase(databaseUrl);
      for (const [one, other] of [
        [from, to],
        [to, from],
      ] as const) {
        sockets.add(one);
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
      }
    });
    server = listening;
    return new Promise((resolve, reject) => {
      listening.once('error', reject);
      listening.listen(port, '127.0.0.1', () => {
        const address = listening.address();
        port = typeof address === 'object' && address ? address.port : 0;
        resolve();
      });
    });
  }

  const close = async () => {
    server?.close();
    server = null;
  };
  await listen('');
  await close();
  return {
    get port() {
      return port;
    },
    open: listen,
    close,
    async remove() {
      await close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
