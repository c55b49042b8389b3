/**
 * Requests to URLs that partners choose. The address is checked when the connection is made, so that no spelling, and no second
 * answer of a name server, leads into the network that this runs in. Redirects are not followed. Whatever the receiver does, a
 * request ends in time, and no more of its response is read than a little. A partner's slow receivers cost other partners neither
 * connections nor time.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import { elapsedMs } from '#base/clock.ts';
import { ownValue } from '#base/values/own-value.ts';
import { createCallers } from './callers.ts';
import { type Network, nameLeadsNowhere } from './public-network.ts';

export interface OutboundCall {
  /** The owner of the URL. */
  readonly partnerId: string;
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `durationMs` is whole milliseconds. */
export type OutboundResponse =
  | { readonly status: number; readonly durationMs: number; readonly error: null }
  /** No whole response came. `error` says why, for the partner: words and an error code, no address. */
  | { readonly status: null; readonly durationMs: number; readonly error: string };

export interface OutboundClient {
  /** Never rejects; resolves within the limit of time, which begins when the partner has a place for the call. */
  call(url: string, call: OutboundCall): Promise<OutboundResponse>;
  /** False for a URL that could never be called: `call` would refuse it. A name is looked up by `call` alone. */
  allows(url: URL): boolean;
  close(): Promise<void>;
}

export interface OutboundOptions {
  readonly network: Network;
  /** From the call to the last byte that is read; 10 seconds unless given. */
  readonly withinMs?: number;
  /** How long it takes to say that a name leads nowhere, or a multiple of it: a second unless given. */
  readonly nowhereMs?: number;
}

const usualWithinMs = 10_000;
/** The most concurrent calls of a partner in this process, to all its receivers together. */
export const partnerAtOnce = 50;
/**
 * The look-up of a name in our own network takes another time than that of a name that does not exist. Both are reported after
 * whole seconds, so that a partner can't tell them apart.
 */
const usualNowhereMs = 1_000;
/** Servers close idle connections after five seconds or more by default. */
const idleMs = 4_000;
/** The rest of a response is not read, and its connection is closed. */
const responseAtMostBytes = 64 * 1024;

export function createOutboundClient(options: OutboundOptions): OutboundClient {
  const { network, withinMs = usualWithinMs, nowhereMs = usualNowhereMs } = options;
  const callers = createCallers({
    atOnce: partnerAtOnce,
    idleMs,
    makeAgent: () =>
      new Agent({
        connections: partnerAtOnce,
        pipelining: 1,
        allowH2: false,
        connect: { ...network.connect, timeout: withinMs },
        keepAliveTimeout: idleMs,
        keepAliveMaxTimeout: idleMs,
        // The signal of each call aborts it.
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
  });

  async function ask(url: string, call: OutboundCall, dispatcher: Agent): Promise<OutboundResponse> {
    const begunMs = elapsedMs();
    const signal = AbortSignal.timeout(withinMs);
    const durationMs = () => Math.round(elapsedMs() - begunMs);
    const { method, headers, body } = call;
    try {
      const target = new URL(url);
      if (!network.allows(target)) throw Object.assign(new Error('not allowed'), { code: notAllowed });
      const answer = await request(target, { method, headers, body, dispatcher, signal });
      await readSome(answer.body);
      return { status: answer.statusCode, durationMs: durationMs(), error: null };
    } catch (error) {
      if (signal.aborted) {
        const why = `no whole response within ${withinMs / 1_000} s`;
        return { status: null, durationMs: durationMs(), error: why };
      }
      if (nameLeadsNowhere(error)) {
        const toldMs = Math.ceil((durationMs() + 1) / nowhereMs) * nowhereMs;
        // A timer counts from the beginning of the event loop's turn, so it may end too soon.
        const leftMs = () => begunMs + toldMs - elapsedMs();
        while (leftMs() > 0) await sleep(Math.ceil(leftMs()));
        return { status: null, durationMs: toldMs, error: 'no connection: the host has no public address' };
      }
      return { status: null, durationMs: durationMs(), error: wordsOf(error) };
    }
  }

  return {
    call: (url, call) => callers.run(call.partnerId, (agent) => ask(url, call, agent)),
    allows: (url) => network.allows(url),
    close: () => callers.close(),
  };
}

async function readSome(body: Dispatcher.ResponseData['body']): Promise<void> {
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.length;
    if (sizeBytes > responseAtMostBytes) return;
  }
}

const notAllowed = 'EURLNOTALLOWED';

/** Texts in place of the library's codes. */
const words: Readonly<Record<string, string>> = {
  [notAllowed]: 'the URL is not allowed: it must be https, without credentials, and lead to a public address',
  UND_ERR_CONNECT_TIMEOUT: 'no connection (ETIMEDOUT)',
  UND_ERR_SOCKET: 'the connection was closed before the response was complete',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the response are too long',
};

function wordsOf(error: unknown): string {
  const { code } = Object(error) as NodeJS.ErrnoException;
  if (code === undefined) return 'no response';
  if (code === 'ECONNRESET' || code === 'EPIPE') return `the connection was closed (${code})`;
  return (
    ownValue(words, code) ??
    (code.startsWith('HPE_') ? `no HTTP response (${code})` : `no connection (${code})`)
  );
}
