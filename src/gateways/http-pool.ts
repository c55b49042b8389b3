/**
 * Connections to a gateway behind HTTP, kept for the next request: a new one costs a round trip, with TLS three. Nothing is
 * ever sent twice: what has been written on a connection that then ends is lost, be it kept or new.
 */
import { Agent } from 'undici';
import { callThrough, type HttpAnswer, type HttpCall } from './http-call.ts';
import { connectorWithSession } from './http-connect.ts';

export interface HttpPool {
  /** Never rejects, and follows no redirect. */
  call(url: URL, call: HttpCall): Promise<HttpAnswer>;
  /** Lets what is under way end, for five seconds at most. */
  close(): Promise<void>;
}

export interface HttpPoolOptions {
  /** At once, to each host; what is more waits for its turn. 10 unless given. */
  readonly connections?: number;
  /**
   * How long one is kept without work, in milliseconds; 0: each request makes its own. Shorter than the gateway's own limit:
   * a request that meets the end of a connection has an unknown outcome. A gateway that names its limit
   * (`Keep-Alive: timeout=`) is heeded where that is shorter still.
   */
  readonly idleMs?: number;
}

/** Servers that are not told otherwise close after five seconds or more. */
const usualIdleMs = 4_000;
/** Leaves time for another gateway within the time-out of a hand-over. */
const connectWithinMs = 3_000;
const closeWithinMs = 5_000;
/** This much before the limit that the gateway names. */
const marginMs = 1_000;
const answerAtMostBytes = 64 * 1024;

export function createHttpPool({ connections = 10, idleMs = usualIdleMs }: HttpPoolOptions = {}): HttpPool {
  const agent = new Agent({
    connections,
    pipelining: 1,
    connect: connectorWithSession(connectWithinMs),
    keepAliveTimeout: idleMs || usualIdleMs,
    keepAliveMaxTimeout: idleMs || usualIdleMs,
    keepAliveTimeoutThreshold: marginMs,
    // The signal of each call ends it.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: answerAtMostBytes,
  });
  async function close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => {
      timer = setTimeout(() => resolve(agent.destroy()), closeWithinMs);
    });
    await Promise.race([agent.close(), tooLong]);
    clearTimeout(timer);
  }
  let closing: Promise<void> | undefined;
  return {
    call: (url, call) => callThrough(agent, url, call, idleMs > 0),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
