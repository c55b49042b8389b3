/** New connections of a pool. With TLS each takes up the session of the one before it: a round trip less, and no certificates. */
import { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';

/** `withinMs` is for the whole handshake. */
export function connectorWithSession(withinMs: number): buildConnector.connector {
  // The library's own cache lets go of a session at the next garbage collection.
  const sessions = new Map<string, Buffer>();
  return (options, callback) => {
    // Of this host alone: the name in the certificate is not looked at again.
    const host = `${options.hostname}:${options.port}`;
    const session = sessions.get(host);
    const connect = buildConnector({
      timeout: withinMs,
      // Requests that an HTTP/2 server refuses are sent again by the library.
      allowH2: false,
      maxCachedSessions: 0,
      ...(session && { session }),
    });
    connect(options, (...connected) => {
      const [, socket] = connected;
      if (socket instanceof TLSSocket) {
        // From TLS 1.3 on sessions come after the handshake.
        const made = socket.getProtocol() === 'TLSv1.3' ? undefined : socket.getSession();
        if (made !== undefined) sessions.set(host, made);
        socket.on('session', (given) => void sessions.set(host, given));
      }
      callback(...connected);
    });
  };
}
