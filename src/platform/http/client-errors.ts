/**
 * Responds with the API's error body when Node refuses a request before Fastify sees it (malformed HTTP, headers too large, a
 * client too slow).
 */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { newId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { commonHeaders } from './common-headers.ts';
import { headTooLarge } from './head-size.ts';
import { errorBody } from './problem.ts';

function problemOf(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return headTooLarge();
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('000005', { message: 'The chunk extensions of the body are larger than 16 KiB' });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('000001', { status: 408, message: 'The request did not arrive in time' });
    default:
      return new Problem('000001', { message: 'This is not valid HTTP' });
  }
}

interface Responding {
  /** The response that the connection waits for. */
  readonly _httpMessage?: {
    readonly headersSent: boolean;
    readonly req: { readonly complete: boolean };
  } | null;
}

/**
 * True when the response to an earlier request has begun or is still to come: the client would mistake a further response for that
 * one, or for a part of it.
 */
function isResponding(socket: Duplex): boolean {
  const { _httpMessage: response } = socket as Responding;
  return response?.headersSent === true || response?.req.complete === true;
}

/**
 * Responds, and closes the connection after `lingerMs` at most: a client may leave it half-closed, and it would count as open.
 */
export function respondToClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { lingerMs, publicAddress }: { readonly lingerMs: number; readonly publicAddress: string },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isResponding(socket)) {
    socket.destroy();
    return;
  }
  const problem = problemOf(error.code);
  const requestId = newId();
  const body = JSON.stringify(errorBody(problem, requestId, publicAddress));
  const headers = {
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...commonHeaders({ id: requestId }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`;
  socket.end([status, ...lines, '', body].join('\r\n'));
  // Later, because a reset may discard the response before the client has read it.
  const lingering = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(lingering));
}
