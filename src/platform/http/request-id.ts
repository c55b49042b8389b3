/** The request id: the caller's own when it has the allowed form, else a new one. It is in every response, error and log line. */
import type { IncomingMessage } from 'node:http';
import { newId } from '#base/values/id.ts';

const allowed = /^[A-Za-z0-9._:-]{1,128}$/;

export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && allowed.test(sent) ? sent : newId();
}
