/** A connection to the process's own HTTP server, in memory: it need not listen, and nobody else has one. */
import type { Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** One request at a time. */
export interface OwnConnection {
  /** Rejects when the server closes the connection. */
  send(request: string): Promise<Answer>;
  close(): void;
}

/** Gives a stream the methods that the server asks of a socket. */
const likeSocket = (stream: Duplex) =>
  Object.assign(stream, {
    remoteAddress: '127.0.0.1',
    setTimeout: () => stream,
    setNoDelay: () => stream,
    setKeepAlive: () => stream,
  });

export function connectTo(server: Server): OwnConnection {
  const [own, its] = duplexPair();
  server.emit('connection', likeSocket(its));
  let received = '';
  let waiting: PromiseWithResolvers<Answer> | null = null;
  const fail = () => waiting?.reject(new Error('the server closed the connection'));
  own.on('error', fail);
  own.on('close', fail);
  own.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    const end = received.indexOf('\r\n\r\n') + 4;
    const length = Number(/^content-length: (\d+)/im.exec(received.slice(0, Math.max(end, 0)))?.[1] ?? 0);
    if (end < 4 || received.length < end + length) return;
    waiting?.resolve({ status: Number(received.slice(9, 12)), body: received.slice(end) });
    received = '';
  });
  return {
    send(request) {
      waiting = Promise.withResolvers();
      own.write(request);
      return waiting.promise;
    },
    close: () => own.destroy(),
  };
}

/** The text of a request. */
export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const all = {
    host: 'localhost',
    ...headers,
    ...(body && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${text}`;
}
