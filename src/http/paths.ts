/** Every operation answers at its path and below `/v1` (decisions, section 1: Base path). */
import type { FastifyRequest } from 'fastify';

export const versionPrefix = '/v1';

/** The path of the request without its version prefix and query: the same for both ways to an operation. */
export function resourcePath(request: FastifyRequest): string {
  const path = request.url.split('?')[0] ?? '';
  return path.startsWith(`${versionPrefix}/`) ? path.slice(versionPrefix.length) : path;
}
