/** Judges customerPhone in the workshop's country, together with what the schema found in the other fields. */
import type { FastifyRequest } from 'fastify';
import { refuseInvalid } from '#http/validation.ts';
import { parsePhone } from '#values/phone.ts';
import { invalidPhone } from './content.ts';

/**
 * Throws 400 000001 that names every failing field. Resolves to the phone as E.164, or to null when none was sent or
 * `countryOf` found no country: then there is no such workshop or booking.
 */
export async function customerPhone(
  request: FastifyRequest,
  countryOf: (body: Readonly<Record<string, unknown>>) => Promise<string | null>,
): Promise<string | null> {
  const body = (request.body ?? {}) as Readonly<Record<string, unknown>>;
  const sent = body['customerPhone'];
  const country = typeof sent === 'string' && sent !== '' ? await countryOf(body) : null;
  const phone = country === null ? null : parsePhone(String(sent), country);
  refuseInvalid(request, country !== null && phone === null ? [invalidPhone('customerPhone', country)] : []);
  return phone;
}
