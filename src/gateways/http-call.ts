/** One HTTP request to a gateway, and whether it can have been handed over. */
import { type IncomingMessage, request as plainRequest } from 'node:http';
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
 * Never rejects. Each call has a connection of its own: on one that is kept, and that the other side closes just then, it
 * would not be known whether the request had arrived.
 */
export async function callHttp(url: URL, { method, headers, body, signal }: HttpCall): Promise<HttpAnswer> {
  let connected = false;
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const isTls = url.protocol === 'https:';
      const request = (isTls ? tlsRequest : plainRequest)(url, { method, headers, signal, agent: false });
      const timer = setTimeout(() => request.destroy(new NoConnection()), connectWithinMs);
      request.once('socket', (socket) =>
        socket.once(isTls ? 'secureConnect' : 'connect', () => {
          connected = true;
          clearTimeout(timer);
        }),
      );
      request.once('close', () => clearTimeout(timer));
      request.once('response', resolve);
      request.on('error', reject);
      request.end(body);
    });
    let size = 0;
    answer.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > answerAtMostBytes) answer.destroy(new Error('too long an answer'));
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
  }
}

class NoConnection extends Error {
  readonly code = 'ETIMEDOUT';
}
