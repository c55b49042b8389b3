/**
 * Where a cluster listens: on a Unix socket in its own folder, which nobody else may enter, where the path is short enough;
 * else on a free port of 127.0.0.1. The socket costs less for each statement, and no port.
 */
import { readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

export interface Address {
  /** Settings of PostgreSQL. */
  readonly settings: Readonly<Record<string, string>>;
  /** For the driver, psql and pg_dump. */
  url(role: string, password: string, database: string): string;
}

/** Only names the socket: each cluster has its own folder. */
const port = '5432';
const socketName = `.s.PGSQL.${port}`;
/** Linux takes 107 bytes, macOS 103. */
const pathAtMostBytes = 100;

/** Null where the path is too long. */
export function socketAddress(dir: string): Address | null {
  if (process.platform === 'win32' || Buffer.byteLength(join(dir, socketName)) > pathAtMostBytes) return null;
  return {
    settings: {
      listen_addresses: '',
      port,
      // A list: quoted, a comma belongs to the name.
      unix_socket_directories: `"${dir.replaceAll('"', '""')}"`,
      unix_socket_permissions: '0700',
    },
    url: (role, password, database) =>
      `postgres://${role}:${password}@${encodeURIComponent(dir)}:${port}/${database}`,
  };
}

/** A port that is free now; when another program takes it before PostgreSQL does, the start tries again. */
export async function loopbackAddress(): Promise<Address> {
  const free = await freePort();
  return {
    settings: { listen_addresses: '127.0.0.1', port: String(free), unix_socket_directories: '' },
    url: (role, password, database) => `postgres://${role}:${password}@127.0.0.1:${free}/${database}`,
  };
}

/**
 * A killed PostgreSQL leaves its socket, and the id in the socket's lock file may be a stranger's by now. The caller has seen
 * to it that none runs in `dir`.
 */
export function removeStaleSockets(dir: string): void {
  for (const name of readdirSync(dir)) {
    if (name.startsWith('.s.PGSQL.')) rmSync(join(dir, name), { force: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
