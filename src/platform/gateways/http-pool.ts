/**
 * Keeps connections to a gateway behind HTTP for the next requests: a new one costs a round trip, with TLS three. No request is
 * ever sent twice: one that was written to a connection that then ends is lost, whether the connection was new or kept.
 */
import { Agent } from 'undici';
import { callThrough, type HttpCall, type HttpResponse } from './http-call.ts';
import { connectorWithSession } from './http-connect.ts';

export interface HttpPool {
  /** Never rejects, and follows no redirect. */
  call(url: URL, call: HttpCall): Promise<HttpResponse>;
  /** Lets requests in flight end, for five seconds at most. */
  close(): Promise<void>;
}

export interface HttpPoolOptions {
  /** The most connections to each host; further requests wait. 10 unless given. */
  readonly connections?: number;
  /**
   * How long an idle connection is kept, in milliseconds; 0: each request makes its own. Shorter than the gateway's own limit,
   * because a request on a connection that the gateway is closing has an unknown outcome. A shorter limit that the gateway names
   * (`Keep-Alive: timeout=`) is respected.
   */
  readonly idleMs?: number;
}

/** Servers close idle connections after five seconds or more by default. */
const usualIdleMs = 4_000;
/** Leaves time for another gateway within the time-out of a hand-over. */
const connectWithinMs = 3_000;
const closeWithinMs = 5_000;
/** Closes this much before the limit that the gateway names. */
const marginMs = 1_000;
const responseAtMostBytes = 64 * 1024;

export function createHttpPool({ connections = 10, idleMs = usualIdleMs }: HttpPoolOptions = {}): HttpPool {
  const agent = new Agent({
    connections,
    pipelining: 1,
    connect: connectorWithSession(connectWithinMs),
    keepAliveTimeout: idleMs || usualIdleMs,
    keepAliveMaxTimeout: idleMs || usualIdleMs,
    keepAliveTimeoutThreshold: marginMs,
    // The signal of each call aborts it.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: responseAtMostBytes,
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
