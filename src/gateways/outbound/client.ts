/**
 * Requests to URLs that partners choose. The address is checked when the connection is made, so that no spelling, and no second
 * answer of a name server, leads into the network that this runs in. Redirects are not followed. Whatever the receiver does, a
 * request ends in time, and no more of its response is read than a little.
 */
import { Agent, type Dispatcher, request } from 'undici';
import { elapsedMs } from '#clock.ts';
import { addressIsRefused, type Network } from './public-network.ts';

export interface OutboundCall {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `durationMs` is whole milliseconds. */
export type OutboundAnswer =
  | { readonly status: number; readonly durationMs: number; readonly error: null }
  /** No whole response came. `error` says why, for the partner: words and an error code, no address. */
  | { readonly status: null; readonly durationMs: number; readonly error: string };

export interface OutboundClient {
  /** Never rejects; resolves within the limit of time. */
  call(url: string, call: OutboundCall): Promise<OutboundAnswer>;
  /** False for a URL that could never be called: `call` would refuse it. A name is looked up by `call` alone. */
  allows(url: URL): boolean;
  close(): Promise<void>;
}

export interface OutboundOptions {
  readonly network: Network;
  /** From the call to the last byte that is read; 10 seconds unless given. */
  readonly withinMs?: number;
}

const usualWithinMs = 10_000;
/** The most connections to one origin: the most that are called at once there. */
const connectionsAtMost = 50;
/** Servers close idle connections after five seconds or more by default. */
const idleMs = 4_000;
/** The rest of a response is not read, and its connection is closed. */
const answerAtMostBytes = 64 * 1024;

export function createOutboundClient({ network, withinMs = usualWithinMs }: OutboundOptions): OutboundClient {
  const agent = new Agent({
    connections: connectionsAtMost,
    pipelining: 1,
    allowH2: false,
    connect: { ...network.connect, timeout: withinMs },
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // The signal of each call aborts it.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  async function ask(url: string, call: OutboundCall, signal: AbortSignal): Promise<number> {
    const target = new URL(url);
    if (!network.allows(target)) throw Object.assign(new Error('not allowed'), { code: notAllowed });
    const { statusCode, body } = await request(target, { ...call, dispatcher: agent, signal });
    await readSome(body);
    return statusCode;
  }

  return {
    async call(url, call) {
      const begunMs = elapsedMs();
      const signal = AbortSignal.timeout(withinMs);
      const durationMs = () => Math.round(elapsedMs() - begunMs);
      try {
        const status = await ask(url, call, signal);
        return { status, durationMs: durationMs(), error: null };
      } catch (error) {
        const why = signal.aborted ? `no whole response within ${withinMs / 1_000} s` : wordsOf(error);
        return { status: null, durationMs: durationMs(), error: why };
      }
    },
    allows: (url) => network.allows(url),
    close: () => agent.destroy(),
  };
}

async function readSome(body: Dispatcher.ResponseData['body']): Promise<void> {
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.length;
    if (sizeBytes > answerAtMostBytes) return;
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
  if (addressIsRefused(error)) return 'the address is not allowed: it must be public';
  const { code } = Object(error) as NodeJS.ErrnoException;
  if (code === undefined) return 'no response';
  if (code === 'ECONNRESET' || code === 'EPIPE') return `the connection was closed (${code})`;
  return words[code] ?? (code.startsWith('HPE_') ? `no HTTP response (${code})` : `no connection (${code})`);
}
