/** The client: builds requests from the operations of the API, signs them, repeats them, and reads what comes back. */
import { unlessAborted } from './abort.ts';
import { ConnectionError, PitlaneError } from './errors.ts';
import { type ErrorResponse, type Operations, operations, type TokenPair } from './operations.ts';
import { withRetries } from './retry.ts';
import { type Credentials, createSession } from './session.ts';

export type ClientOptions = Credentials & {
  /** Where the API is: `https://pitlane.example.com`. */
  readonly baseUrl: string;
  /** Sent as `X-Partner-ID` with every call. */
  readonly partnerId: string;
  /** Is called with each new pair of tokens, to keep it for the next start. */
  readonly onTokens?: (pair: TokenPair) => void;
  /** Milliseconds that one try may take; 45,000 unless given: an SMS may take half a minute. */
  readonly timeoutMs?: number;
  /** How often a request is sent at most; 4 unless given, 1 for never again. */
  readonly tries?: number;
  /** Milliseconds; when the API asks for a longer pause, the error is thrown at once. 30,000 unless given. */
  readonly longestPauseMs?: number;
  /** In place of the platform's `fetch`. */
  readonly fetch?: typeof fetch;
};

export interface CallOptions {
  /** Ends the call, its pauses too. A sign-in or refresh that it waits for goes on, for other calls. */
  readonly signal?: AbortSignal;
}

/** Milliseconds that one try of a refresh may take at most, so that several fit into its time. */
const longestRefreshMs = 15_000;

export type OperationName = keyof Operations;
export type RequestOf<Name extends OperationName> = Parameters<Operations[Name]>[0];
export type AnswerOf<Name extends OperationName> = Awaited<ReturnType<Operations[Name]>>;

/** An answer with its status and headers, such as `ETag` and `Idempotent-Replayed`. */
export interface FullAnswer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface PitlaneClient extends Operations {
  /** Calls an operation by its name, for what a method does not tell: status and headers. */
  call<Name extends OperationName>(
    name: Name,
    request?: RequestOf<Name>,
    options?: CallOptions,
  ): Promise<FullAnswer<AnswerOf<Name>>>;
}

/** The parts of any request. */
interface AnyRequest {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/**
 * A client of one partner. A call returns the body of the success, else it throws a `PitlaneError` (the API refused it) or a
 * `ConnectionError` (no answer came). It signs in by itself before the first call, and refreshes the token when it is refused.
 */
export function createClient(options: ClientOptions): PitlaneClient {
  const { baseUrl, partnerId, onTokens = () => undefined, timeoutMs = 45_000 } = options;
  const limits = { tries: options.tries ?? 4, longestPauseMs: options.longestPauseMs ?? 30_000 };
  const send = options.fetch ?? fetch;

  /** One try. */
  async function once(
    url: string,
    init: RequestInit,
    signal?: AbortSignal,
    withinMs = timeoutMs,
  ): Promise<FullAnswer<unknown>> {
    const signals = [AbortSignal.timeout(withinMs), ...(signal ? [signal] : [])];
    let response: Response;
    let text: string;
    try {
      response = await send(url, { ...init, signal: AbortSignal.any(signals) });
      text = await response.text();
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new ConnectionError(`${init.method} ${url}: no answer came`, { cause });
    }
    if (!response.ok) throw new PitlaneError(response, refusalOf(text));
    const { status, headers } = response;
    try {
      return { status, headers, body: status === 204 ? undefined : JSON.parse(text) };
    } catch (cause) {
      throw new ConnectionError(`${init.method} ${url}: the answer is no JSON`, { cause });
    }
  }

  const ownHeaders = { Accept: 'application/json', 'X-Partner-ID': partnerId };

  /**
   * Without a token. To sign in again does no harm; a refresh is repeated only until `endsAtMs`, since a spent pair that comes back
   * later revokes the sign-in.
   */
  async function tokensOf(path: string, credentials: object, endsAtMs?: number): Promise<TokenPair> {
    const headers = { ...ownHeaders, 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(credentials) };
    const attempt = () => {
      const url = urlOf(baseUrl, path);
      if (endsAtMs === undefined) return once(url, init);
      const leftMs = Math.max(endsAtMs - Date.now(), 1);
      return once(url, init, undefined, Math.min(timeoutMs, longestRefreshMs, leftMs));
    };
    const ownLimits = endsAtMs === undefined ? limits : { ...limits, endsAtMs };
    const { body } = await withRetries(attempt, true, ownLimits);
    return body as TokenPair;
  }

  const session = createSession(
    options,
    {
      signIn: (body) => tokensOf(operations.signIn.path, body),
      refresh: (body, endsAtMs) => tokensOf(operations.refreshToken.path, body, endsAtMs),
    },
    onTokens,
  );

  /** One try with the current token; a second one with another when it is refused. */
  async function signed(url: string, init: RequestInit, signal?: AbortSignal): Promise<FullAnswer<unknown>> {
    const withToken = (token: string) =>
      once(url, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } }, signal);
    signal?.throwIfAborted();
    const token = await unlessAborted(session.token(), signal);
    try {
      return await withToken(token);
    } catch (error) {
      if (!(error instanceof PitlaneError) || error.code !== '010000') throw error;
      await unlessAborted(session.replace(token), signal);
      return withToken(await unlessAborted(session.token(), signal));
    }
  }

  async function call(
    name: OperationName,
    request: AnyRequest = {},
    { signal }: CallOptions = {},
  ): Promise<FullAnswer<unknown>> {
    const { method, path, signedIn, keyed } = operations[name];
    const headers = {
      ...ownHeaders,
      ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
      ...(keyed && { 'Idempotency-Key': crypto.randomUUID() }),
      ...given(request.headers),
    };
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    const url = urlOf(baseUrl, path, request);
    const init: RequestInit = { method, headers, body };
    const attempt = () => (signedIn ? signed(url, init, signal) : once(url, init, signal));
    return withRetries(attempt, isRepeatable(method, headers, request.body), limits, signal);
  }

  const methods = Object.keys(operations).map((name) => [
    name,
    async (request?: AnyRequest, callOptions?: CallOptions) =>
      (await call(name as OperationName, request, callOptions)).body,
  ]);
  return Object.assign(Object.fromEntries(methods), { call }) as PitlaneClient;
}

/** Whether a second run of the request does what one does. A PUT with If-Match does not: its second run finds its own change. */
function isRepeatable(method: string, headers: object, body: unknown): boolean {
  if ('Idempotency-Key' in headers) return true;
  if (method === 'POST' || method === 'PATCH') return hasReference(body);
  return !('If-Match' in headers);
}

/** The API takes a text without one for absent. */
const visible = /[^\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A message's idempotency key is a field of its body. */
function hasReference(body: unknown): boolean {
  const { referenceId } = (body ?? {}) as { referenceId?: unknown };
  return typeof referenceId === 'string' && visible.test(referenceId);
}

/** Without what is undefined. */
function given<Value>(values: Readonly<Record<string, Value | undefined>> = {}): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined),
  );
}

function urlOf(baseUrl: string, path: string, request: AnyRequest = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name) =>
    encodeURIComponent(String(request.path?.[name])),
  );
  const query = new URLSearchParams(
    Object.entries(given(request.query)).map(([name, value]) => [name, String(value)]),
  ).toString();
  return `${baseUrl.replace(/\/+$/, '')}${filled}${query && `?${query}`}`;
}

/** The body of an error; nothing when it is no JSON, as that of a proxy. */
function refusalOf(text: string): Partial<ErrorResponse> {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
