/** Requests that never become one: broken HTTP, headers too large, a client too slow. Answered in the API's own form. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '#errors.ts';
import { newId } from '#values/id.ts';
import { headTooLarge } from './head-size.ts';
import { errorBody } from './problem.ts';

function problemOf(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return headTooLarge();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('000001', { status: 408, message: 'The request did not arrive in time' });
    default:
      return new Problem('000001', { message: 'This is not valid HTTP' });
  }
}

export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = problemOf(error.code);
  const requestId = newId();
  const body = JSON.stringify(errorBody(problem, requestId));
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      '',
      body,
    ].join('\r\n'),
  );
}
