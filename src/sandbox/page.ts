/** GET /sandbox: the page that shows what was sent. Its files are static; its data comes from the sandbox's own API. */
import type { FastifyInstance } from 'fastify';

export async function sandboxPage(app: FastifyInstance): Promise<void> {
  app.get('/sandbox', { schema: { hide: true } }, async (_request, reply) => {
    reply.type('text/html; charset=utf-8');
    return '<!doctype html><title>Sandbox</title>';
  });
}
