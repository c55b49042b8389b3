/**
 * 400 for HTTP/1.1 without a Host header, or with several (RFC 9112, 3.2). Node itself would respond to the first case without a
 * body and use the first of several.
 */
import type { FastifyInstance } from 'fastify';
import { Problem } from '#errors.ts';

export function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.headers.host === undefined) {
      if (raw.httpVersion !== '1.0') throw new Problem('000001', { message: 'The header Host is missing' });
    } else if (hasSeveralHosts(raw.rawHeaders)) {
      throw new Problem('000001', { message: 'The header Host comes more than once' });
    }
  });
}

/** `rawHeaders`: names and values alternate. */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
