/** How much one process takes in at once, and how long it waits for a client. Tests set lower ones. */

export interface HttpLimits {
  /** Requests in work at once; of the places that are free a partner may hold as many as it leaves. */
  readonly placesAtMost: number;
  /** The answer to a request that found no place is held back for about so long: its client may ask again at once, and many do. */
  readonly holdRefusedMs: number;
  /** Open connections. One more closes the one that has waited longest without a request in work. */
  readonly connectionsAtMost: number;
  /** From the connection or the last answer's end to the last header, in milliseconds. */
  readonly headersWithinMs: number;
  /** To the end of the body. */
  readonly requestWithinMs: number;
  /** How often those two are looked at. */
  readonly checkEveryMs: number;
  /** A client that reads nothing of its answer for this long is cut off. */
  readonly readWithinMs: number;
  /** From a refusal of broken HTTP to the end of its connection, and from the last answer of a stop to its end. */
  readonly lingerMs: number;
}

/**
 * A request waits for a connection of the pool at most 5 seconds, and 20 connections serve thousands a second: 500 in work
 * wait some tenths of a second. A connection without a request costs about 10 KB.
 */
export const usualLimits: HttpLimits = {
  placesAtMost: 500,
  holdRefusedMs: 1_000,
  connectionsAtMost: 5_000,
  headersWithinMs: 10_000,
  requestWithinMs: 30_000,
  checkEveryMs: 1_000,
  readWithinMs: 10_000,
  lingerMs: 500,
};
