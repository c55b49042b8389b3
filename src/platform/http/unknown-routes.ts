/** 404 for unknown paths, and 405 with `Allow` for known paths with another method (both 000002). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#errors.ts';
import { nearestPath } from './near-path.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Of operations, as Fastify has them: `/bookings/:id`. */
    operationPaths?: Set<string>;
  }
}

/**
 * Call it before any route is registered, and the function that it returns after the last one: that registers the 405 of each
 * path.
 */
export function respondToUnknownRoutes(app: FastifyInstance): () => void {
  const methodsByUrl = new Map<string, Set<string>>();
  const operationPaths = new Set<string>();
  app.decorate('operationPaths', operationPaths);
  app.addHook('onRoute', (route) => {
    const known = methodsByUrl.get(route.url) ?? new Set();
    for (const method of [route.method].flat()) known.add(method);
    methodsByUrl.set(route.url, known);
    if (route.config?.operationId !== undefined) operationPaths.add(route.url);
  });
  app.setNotFoundHandler(async (request) => {
    throw noSuchPath(request);
  });

  return () => {
    for (const [url, known] of [...methodsByUrl]) {
      const others = app.supportedMethods.filter((method) => !known.has(method));
      // At / there is a page for browsers; for programs there is no such path.
      if (url === '/' || others.length === 0) continue;
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

/** Answers before the body is read, after which Fastify calls the handler of unknown paths. Call it after the hooks of every answer. */
export function refuseUnknownPathsAtOnce(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? noSuchPath(request) : undefined);
  });
}

/** What a path that is not known gets: 404, with the path of an operation that is like it. */
export function noSuchPath({
  method,
  url,
  server,
}: Pick<FastifyRequest, 'method' | 'url' | 'server'>): Problem {
  const [path = ''] = url.split('?');
  const nearest = nearestPath(path, server.operationPaths ?? []);
  return new Problem('000002', {
    message: `There is no ${method} ${path}${nearest === null ? '' : `: did you mean ${nearest}?`}`,
  });
}
