/** Headers of every response: the request's id, and that nobody caches the response or guesses its type. */
import type { FastifyRequest } from 'fastify';

export function commonHeaders(request: Pick<FastifyRequest, 'id'>): Record<string, string> {
  return {
    'x-request-id': request.id,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}
