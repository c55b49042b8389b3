/** The request id: the caller's own when it is sane, else a new one. It is in every response, error and log line. */
import type { IncomingMessage } from 'node:http';
import { newId } from '#values/id.ts';

const sane = /^[A-Za-z0-9._:-]{1,128}$/;

export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && sane.test(sent) ? sent : newId();
}
