/** The `X-Partner-ID` header that every call carries (specification: Signing in 1). */
import type { FastifyRequest } from 'fastify';
import { isId } from '#base/values/id.ts';
import type { Problem } from '#errors.ts';
import { unauthorised } from './unauthorised.ts';

/** The header as sent, trimmed; empty when it is missing. */
export function sentPartner({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const sent = headers['x-partner-id'];
  return typeof sent === 'string' ? sent.trim() : '';
}

/** The partner id in the header, or null when it is invalid. */
export function partnerIdOf(sent: string): string | null {
  return isId(sent) ? sent.toLowerCase() : null;
}

/** 401 010001, with the fault of the header. */
export function unknownPartner(sent: string): Problem {
  if (sent === '') return unauthorised('010001', 'Send your partner id in the header X-Partner-ID');
  const why = partnerIdOf(sent) === null ? 'it is not a UUID' : 'there is no such partner here';
  return unauthorised(
    '010001',
    `The partner id in X-Partner-ID is unknown: ${why}. Send the one that came with your app key`,
  );
}
