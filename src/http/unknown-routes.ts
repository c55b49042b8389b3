/** 404 for unknown paths, and 405 with `Allow` for known paths with another method (both 000002). */
import type { FastifyInstance } from 'fastify';
import { Problem } from '#errors.ts';

/**
 * To be called before any route is registered; the function that it returns is to be called after the last one and
 * gives each path its 405.
 */
export function answerUnknownRoutes(app: FastifyInstance): () => void {
  const methodsByUrl = new Map<string, Set<string>>();
  app.addHook('onRoute', (route) => {
    const known = methodsByUrl.get(route.url) ?? new Set();
    for (const method of [route.method].flat()) known.add(method);
    methodsByUrl.set(route.url, known);
  });
  app.setNotFoundHandler(async (request) => {
    throw new Problem('000002', { message: `There is no ${request.method} ${request.url.split('?')[0]}` });
  });

  return () => {
    for (const [url, known] of [...methodsByUrl]) {
      const others = app.supportedMethods.filter((method) => !known.has(method));
      // Wildcards, and `/docs/` beside `/docs`, are the reference page's own.
      if (url.includes('*') || url.endsWith('/') || others.length === 0) continue;
      const allow = [...known].sort().join(', ');
      const refuse = async () => {
        throw new Problem('000002', {
          status: 405,
          message: `That path answers ${allow} only`,
          headers: { allow },
        });
      };
      app.route({ method: [...others], url, onRequest: refuse, handler: refuse });
    }
  };
}
