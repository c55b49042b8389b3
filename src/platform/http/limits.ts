/** How many requests and connections one process accepts at once, and how long it waits for clients. Tests set lower limits. */

export interface HttpLimits {
  /** Requests that are processed at once. A partner gets a further permit while it holds fewer than are free. */
  readonly permitsAtMost: number;
  /** The refusal of a request that got no permit is delayed by about this long, since many clients retry at once. */
  readonly delayRefusedMs: number;
  /** Open connections. A further one closes the connection that has been idle longest. */
  readonly connectionsAtMost: number;
  /** Requests of one connection that wait for their responses; a further one ends the connection. */
  readonly unansweredAtMost: number;
  /** The memory for bodies that are still arriving, and for pipelined requests, of callers who are not known yet. */
  readonly strangersUnreadAtMostBytes: number;
  /** The same of uploads of people who have signed in to the console. */
  readonly sessionsUnreadAtMostBytes: number;
  /** The same from those who are known otherwise: partners that have signed in, gateways whose address has the token. */
  readonly knownUnreadAtMostBytes: number;
  /** Time for a request's headers, from the start of the connection or the end of the previous response. */
  readonly headersWithinMs: number;
  /** Time for a whole request, body included. */
  readonly requestWithinMs: number;
  /** How often those two times are checked. */
  readonly checkEveryMs: number;
  /** The connection of a client that reads nothing of its response for this long is closed. */
  readonly readWithinMs: number;
  /** Event streams of the console: their connections are counted apart. */
  readonly streamsAtMost: number;
  /** The same of one session. */
  readonly streamsOfSessionAtMost: number;
  /** How long a connection stays open after malformed HTTP was refused, and after the last response of a shutdown. */
  readonly lingerMs: number;
  /** How long what a client still sends is read and dropped after a response that closes its connection. */
  readonly drainMs: number;
}

/**
 * A request waits at most 5 seconds for a database connection of the pool, and 20 of those serve thousands of requests a second:
 * 500 concurrent requests wait some tenths of a second. An idle HTTP connection costs about 10 KB. Clients that pipeline at all send about ten requests ahead.
 */
export const usualLimits: HttpLimits = {
  permitsAtMost: 500,
  delayRefusedMs: 1_000,
  connectionsAtMost: 5_000,
  unansweredAtMost: 64,
  strangersUnreadAtMostBytes: 64 * 1024 * 1024,
  sessionsUnreadAtMostBytes: 64 * 1024 * 1024,
  knownUnreadAtMostBytes: 64 * 1024 * 1024,
  headersWithinMs: 10_000,
  requestWithinMs: 30_000,
  checkEveryMs: 1_000,
  readWithinMs: 10_000,
  streamsAtMost: 2_000,
  streamsOfSessionAtMost: 8,
  lingerMs: 500,
  drainMs: 2_000,
};
