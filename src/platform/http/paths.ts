/** Every operation answers at its path and below `/v1` (specification: Requests and responses 1). */
import type { FastifyRequest } from 'fastify';

export const versionPrefix = '/v1';

/** The path of the request without version prefix, trailing slash and query: the same for all ways to an operation. */
export function resourcePath(request: FastifyRequest): string {
  const path = (request.url.split('?')[0] ?? '').replace(/\/$/, '');
  return path.startsWith(`${versionPrefix}/`) ? path.slice(versionPrefix.length) : path;
}
