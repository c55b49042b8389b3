/** Headers of every answer: the request's id, and that no proxy keeps or browser guesses at what it gets. */
import type { FastifyRequest } from 'fastify';

export function commonHeaders(request: Pick<FastifyRequest, 'id'>): Record<string, string> {
  return {
    'x-request-id': request.id,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}
