/** Headers of every response: the request's id, no caching, and no guessing of the content type. */
import type { FastifyRequest } from 'fastify';

export function commonHeaders(request: Pick<FastifyRequest, 'id'>): Record<string, string> {
  return {
    'x-request-id': request.id,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}
