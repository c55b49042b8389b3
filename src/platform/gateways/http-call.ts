/** One HTTP request to a gateway, and whether the gateway may have received it. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { ownValue } from '#base/values/own-value.ts';

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export type HttpResponse =
  | {
      readonly state: 'answered';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: string;
    }
  /** No byte was written, so nothing was handed over. `detail` is for people and names no address. */
  | { readonly state: 'unreachable'; readonly detail: string }
  /** Written to a connection, new or kept, without a whole response: the outcome is unknown. */
  | { readonly state: 'lost'; readonly detail: string };

/**
 * Resolves when the response is complete or can no longer come; never rejects. `keep` leaves the connection for the next request.
 */
export function callThrough(
  dispatcher: Dispatcher,
  url: URL,
  { method, headers = {}, body, signal }: HttpCall,
  keep: boolean,
): Promise<HttpResponse> {
  const { promise, resolve } = Promise.withResolvers<HttpResponse>();
  let controller: Dispatcher.DispatchController | undefined;
  let head: { readonly status: number; readonly headers: IncomingHttpHeaders } | undefined;
  const chunks: Buffer[] = [];

  function settle(answer: HttpResponse): void {
    signal.removeEventListener('abort', abort);
    resolve(answer);
  }
  function fail(error: unknown): void {
    const words = wordsOf(error);
    settle(
      controller === undefined
        ? { state: 'unreachable', detail: `The gateway can not be reached (${words}).` }
        : { state: 'lost', detail: `The connection to the gateway ended before it answered (${words}).` },
    );
  }
  function abort(): void {
    // An aborted request that waits for a connection is dropped when its turn comes.
    if (controller === undefined) fail(signal.reason);
    else controller.abort(signal.reason);
  }

  if (signal.aborted) {
    fail(signal.reason);
    return promise;
  }
  signal.addEventListener('abort', abort, { once: true });
  const { origin, pathname, search } = url;
  const request = { origin, path: `${pathname}${search}`, method, headers, body: body ?? null, reset: !keep };
  try {
    dispatcher.dispatch(request, {
      // Called with a connection, just before the request is written to it.
      onRequestStart(started) {
        const again = controller !== undefined;
        if (signal.aborted) started.abort(signal.reason);
        else if (again) started.abort(new Error('written twice'));
        else controller = started;
      },
      onResponseStart(_, status, answered) {
        head = { status, headers: answered };
      },
      onResponseData(_, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        const content = Buffer.concat(chunks).toString();
        settle({ state: 'answered', status: 0, headers: {}, ...head, body: content });
      },
      onResponseError: (_, error) => fail(error),
    });
  } catch (error) {
    fail(error);
  }
  return promise;
}

/** Texts in place of the library's codes. */
const codes: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'ETIMEDOUT',
  UND_ERR_SOCKET: 'closed',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_DESTROYED: 'stopped',
  UND_ERR_CLOSED: 'stopped',
  UND_ERR_HEADERS_OVERFLOW: 'too long an answer',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too long an answer',
};

function wordsOf(error: unknown): string {
  const { code } = Object(error) as NodeJS.ErrnoException;
  if (typeof code === 'number') return 'aborted';
  return (code && ownValue(codes, code)) ?? code ?? 'no answer';
}
