/**
 * An open load: a request is due at its moment, however long others take, and goes over a connection that is free or over a new one. Its
 * time runs from that moment. `bench/first-second.ts` runs it in a process of its own.
 */
import { connect, type Socket } from 'node:net';
import { percentiles } from './percentiles.ts';

export interface SteadyLoad {
  readonly port: number;
  readonly requests: readonly string[];
  readonly seconds: number;
  readonly perSecond: number;
  readonly expectedStatus: number;
}

export interface SecondOfLoad {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
  /** Answers of another status than was expected. */
  readonly refused: number;
}

/** Free connections; the one that was used last comes first. */
const free: Connection[] = [];

interface Connection {
  send(request: string): Promise<string>;
}

/** One request at a time; resolves to the head of its answer. */
function open(port: number): Connection {
  const socket: Socket = connect(port, '127.0.0.1').setNoDelay(true);
  let received = '';
  let settle: { resolve(head: string): void; reject(error: Error): void } | null = null;
  socket.on('error', (error) => settle?.reject(error));
  socket.on('close', () => settle?.reject(new Error('the server closed the connection')));
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = received.slice(0, end);
    if (received.length < end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)) return;
    received = '';
    settle?.resolve(head);
    settle = null;
  });
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        socket.write(request);
      }),
  };
}

async function run(load: SteadyLoad): Promise<SecondOfLoad[]> {
  const { port, requests, seconds, perSecond } = load;
  const bySecond = Array.from({ length: seconds }, () => ({ times: [] as number[], refused: 0 }));
  const ok = `HTTP/1.1 ${load.expectedStatus} `;
  const startedAt = performance.now();
  const ask = async (number: number) => {
    const second = bySecond[Math.floor(number / perSecond)];
    const connection = free.pop() ?? open(port);
    const head = await connection.send(requests[number % requests.length] ?? '').catch(String);
    second?.times.push(performance.now() - startedAt - (number * 1_000) / perSecond);
    if (second && !head.startsWith(ok)) second.refused++;
    if (head.startsWith('HTTP/')) free.push(connection);
  };
  const asked: Promise<void>[] = [];
  while (asked.length < seconds * perSecond) {
    const due = Math.min(seconds * perSecond, ((performance.now() - startedAt) * perSecond) / 1_000);
    while (asked.length < due) asked.push(ask(asked.length));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(asked);
  return bySecond.map(({ times, refused }) => {
    const { p50, p99 } = percentiles(times);
    return { p50, p99, most: times.at(-1) ?? 0, refused };
  });
}

process.on('message', (load: SteadyLoad) => {
  void run(load).then((result) => process.send?.(result, () => process.exit()));
});
