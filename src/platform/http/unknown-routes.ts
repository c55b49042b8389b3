/** 404 for unknown paths, and 405 with `Allow` for known paths with another method (both 000002). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#errors.ts';
import { nearestPath } from './near-path.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The paths of operations, as Fastify has them: `/bookings/:id`. */
    operationPaths?: Set<string>;
    wrongTurns?: readonly WrongTurn[];
  }
}

/** A request that callers try and that no operation answers. */
export interface WrongTurn {
  readonly method: string;
  /** With `:id` for a parameter, without `/v1`. */
  readonly paths: readonly string[];
  /** The operation that does what they want, as a part of a sentence. */
  readonly instead: string;
}

const partsOf = (path: string) => path.split('/').filter((part) => part !== '' && part !== 'v1');

/** Returns the operation that the caller means; null: it is not known. */
function insteadOf(method: string, path: string, turns: readonly WrongTurn[] = []): string | null {
  const parts = partsOf(path);
  const isLike = (pattern: string) => {
    const wanted = partsOf(pattern);
    return (
      wanted.length === parts.length && wanted.every((part, n) => part.startsWith(':') || part === parts[n])
    );
  };
  return turns.find((turn) => turn.method === method && turn.paths.some(isLike))?.instead ?? null;
}

/**
 * Call it before any route is registered, and the function that it returns after the last one: that registers the 405 of each
 * path.
 */
export function respondToUnknownRoutes(app: FastifyInstance, turns: readonly WrongTurn[]): () => void {
  const methodsByUrl = new Map<string, Set<string>>();
  const operationPaths = new Set<string>();
  app.decorate('operationPaths', operationPaths);
  app.decorate('wrongTurns', turns);
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
      const refuse = async ({ method }: FastifyRequest) => {
        const instead = insteadOf(method, url, turns);
        throw new Problem('000002', {
          status: 405,
          message: `That path answers ${allow} only${instead === null ? '' : `: ${instead}`}`,
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

/** The refusal of an unknown path: 404, with the path of an operation that is like it. */
export function noSuchPath({
  method,
  url,
  server,
}: Pick<FastifyRequest, 'method' | 'url' | 'server'>): Problem {
  const [path = ''] = url.split('?');
  const instead = insteadOf(method, path, server.wrongTurns);
  const nearest = instead === null ? nearestPath(path, server.operationPaths ?? []) : null;
  const meant = instead ?? (nearest === null ? null : `did you mean ${nearest}?`);
  return new Problem('000002', {
    message: `There is no ${method} ${path}${meant === null ? '' : `: ${meant}`}`,
  });
}
