/** 400 for HTTP/1.1 without a Host header (RFC 9112, 3.2); left to Node it would have no body. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '#errors.ts';

export function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.headers.host === undefined && raw.httpVersion !== '1.0') {
      throw new Problem('000001', { message: 'The header Host is missing' });
    }
  });
}
