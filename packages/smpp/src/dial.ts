/** Connecting to the carrier, plainly or with TLS. */
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** The certificate is checked; `ca` adds certificate authorities of the installation. */
  readonly tls: boolean;
  readonly ca?: string;
}

/** Rejects when there is no connection within `withinMs`, with a text for people that holds no address. */
export function dial(
  { host, port, tls, ca }: Endpoint,
  withinMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const names = isIP(host) === 0 ? { servername: host } : {};
    const socket = tls
      ? connectTls({ host, port, rejectUnauthorized: true, ...names, ...(ca === undefined ? {} : { ca }) })
      : connect({ host, port });
    function settle(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      socket.off('error', fail).off('close', vanish);
    }
    function fail(error: Error): void {
      settle();
      // Ignores errors of a socket that was given up.
      socket.on('error', () => undefined).destroy();
      const { code = 'no code' } = error as NodeJS.ErrnoException;
      reject(new Error(`The carrier can not be reached (${code}).`));
    }
    const failWith = (code: string) => () => fail(Object.assign(new Error(code), { code }));
    const giveUp = failWith('ABORTED');
    // A socket that ends before TLS is agreed upon emits no error itself.
    const vanish = failWith('ECONNRESET');
    const timer = setTimeout(failWith('ETIMEDOUT'), withinMs);
    socket.on('error', fail).on('close', vanish);
    signal.addEventListener('abort', giveUp, { once: true });
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      settle();
      socket.setNoDelay(true);
      resolve(socket);
    });
  });
}
