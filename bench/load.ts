/**
 * A bare HTTP/1.1 load: `connections` keep-alive sockets with one request at a time each, and as little work for each request as
 * possible, because it shares the machine with the server. `bench/http.ts` runs it in a process of its own.
 */
import { connect } from 'node:net';
import { percentiles } from './percentiles.ts';

export interface Load {
  readonly port: number;
  readonly connections: number;
  /** Requests in all, in order, spread over the connections; used again from the start when they run out. */
  readonly requests: readonly string[];
  readonly seconds: number;
  /** Requests a second over all connections; as fast as it goes unless it is given. */
  readonly perSecond?: number;
  readonly expectedStatus: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly unexpected: number;
  /** The first of these answers, as text. */
  readonly firstUnexpected: string | null;
}

async function run(load: Load): Promise<LoadResult> {
  const times: number[] = [];
  let next = 0;
  let unexpected = 0;
  let firstUnexpected: string | null = null;
  const startedAt = performance.now();
  const endAt = startedAt + load.seconds * 1000;
  const ok = `HTTP/1.1 ${load.expectedStatus} `;

  await Promise.all(
    Array.from(
      { length: load.connections },
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(load.port, '127.0.0.1');
          socket.setNoDelay(true);
          let sentAt = 0;
          let received = '';
          let wanted = -1;
          const send = () => {
            const number = next++;
            const dueAt = load.perSecond === undefined ? 0 : startedAt + (number * 1000) / load.perSecond;
            const now = performance.now();
            if (Math.max(now, dueAt) >= endAt) {
              socket.end();
              resolve();
            } else if (dueAt > now) setTimeout(write, dueAt - now, number);
            else write(number);
          };
          const write = (number: number) => {
            sentAt = performance.now();
            socket.write(load.requests[number % load.requests.length] ?? '');
          };
          socket.on('connect', send);
          socket.on('error', reject);
          socket.on('data', (chunk) => {
            received += chunk.toString('latin1');
            if (wanted < 0) {
              const head = received.indexOf('\r\n\r\n');
              if (head < 0) return;
              wanted = head + 4 + Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
            }
            if (received.length < wanted) return;
            times.push(performance.now() - sentAt);
            if (!received.startsWith(ok)) {
              unexpected++;
              firstUnexpected ??= received;
            }
            received = '';
            wanted = -1;
            send();
          });
        }),
    ),
  );
  const perSecond = times.length / ((performance.now() - startedAt) / 1000);
  return { perSecond, ...percentiles(times), unexpected, firstUnexpected };
}

process.on('message', (load: Load) => {
  void run(load).then((result) => {
    process.send?.(result);
    process.disconnect?.();
  });
});
