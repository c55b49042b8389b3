/** One HTTP request to a gateway, and whether it can have been handed over. */
import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';

export interface HttpCall {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export type HttpAnswer =
  | {
      readonly state: 'answered';
      readonly status: number;
      readonly headers: IncomingMessage['headers'];
      readonly body: string;
    }
  /** There was no connection, so nothing was handed over. `detail` is for people and names no address. */
  | { readonly state: 'unreachable'; readonly detail: string }
  /** Connected, but no whole answer. */
  | { readonly state: 'lost'; readonly detail: string };

/** Leaves time for another gateway within the time-out of a hand-over. */
const connectWithinMs = 3_000;
const answerAtMostBytes = 64 * 1024;

/**
 * Never rejects, follows no redirect, and has let go of the connection when it resolves. Each call has a connection of its
 * own: on one that is kept, and that the other side closes just then, it would not be known whether the request had arrived.
 */
export async function callHttp(url: URL, { method, headers, body, signal }: HttpCall): Promise<HttpAnswer> {
  let connected = false;
  let request: ClientRequest | undefined;
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const isTls = url.protocol === 'https:';
      const call = (isTls ? tlsRequest : plainRequest)(url, { method, headers, signal, agent: false });
      request = call;
      const timer = setTimeout(() => call.destroy(new CallError('ETIMEDOUT')), connectWithinMs);
      call.once('socket', (socket) =>
        socket.once(isTls ? 'secureConnect' : 'connect', () => {
          connected = true;
          clearTimeout(timer);
        }),
      );
      call.once('response', resolve);
      call.on('error', reject);
      call.once('close', () => {
        clearTimeout(timer);
        // An answer that wants to change the protocol is no response, and its connection ends without an error.
        reject(new CallError('no answer'));
      });
      call.end(body);
    });
    let size = 0;
    answer.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > answerAtMostBytes) answer.destroy(new CallError('too long an answer'));
    });
    const content = await buffer(answer);
    return {
      state: 'answered',
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      body: content.toString(),
    };
  } catch (error) {
    const { code = 'no answer' } = error as NodeJS.ErrnoException;
    return connected
      ? { state: 'lost', detail: `The connection to the gateway ended before it answered (${code}).` }
      : { state: 'unreachable', detail: `The gateway can not be reached (${code}).` };
  } finally {
    request?.destroy();
  }
}

/** `code` stands in the detail, as a system error's does. */
class CallError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
