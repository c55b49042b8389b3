/**
 * Makes the connections of a pool. With TLS, each resumes the session of the one before it: one round trip less, and no
 * certificates.
 */
import { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';

/** `withinMs` bounds the whole handshake. */
export function connectorWithSession(withinMs: number): buildConnector.connector {
  // The library's own cache drops a session at the next garbage collection.
  const sessions = new Map<string, Buffer>();
  return (options, callback) => {
    // For this host only: a resumed session does not check the name in the certificate again.
    const host = `${options.hostname}:${options.port}`;
    const session = sessions.get(host);
    const connect = buildConnector({
      timeout: withinMs,
      // Over HTTP/2 the library would send refused requests again.
      allowH2: false,
      maxCachedSessions: 0,
      ...(session && { session }),
    });
    connect(options, (...connected) => {
      const [, socket] = connected;
      if (socket instanceof TLSSocket) {
        // From TLS 1.3 on, sessions come after the handshake.
        const made = socket.getProtocol() === 'TLSv1.3' ? undefined : socket.getSession();
        if (made !== undefined) sessions.set(host, made);
        socket.on('session', (given) => void sessions.set(host, given));
      }
      callback(...connected);
    });
  };
}
