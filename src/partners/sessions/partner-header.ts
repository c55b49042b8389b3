/** The `X-Partner-ID` header that every call carries (document, 5.1). */
import type { FastifyRequest } from 'fastify';
import { isId } from '#values/id.ts';

/** The partner id of the header, or null when it is missing or can't be one. */
export function partnerHeader(request: FastifyRequest): string | null {
  const sent = request.headers['x-partner-id'];
  return typeof sent === 'string' && isId(sent.trim()) ? sent.trim().toLowerCase() : null;
}
