/** Refuses forms of other sites, by the headers in which browsers name a form's origin. */
import type { AddressInfo } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { urlHost } from '#base/config/public-url.ts';
import { Problem } from '#errors.ts';

/**
 * Throws 403 unless the browser says `Sec-Fetch-Site: same-origin`, or, where it says nothing of the kind, unless `Origin` is the
 * service's address: `publicUrl`, or without one what is listened on. It is never compared with `Host`, which the sender chooses.
 */
export function requireOwnForm(request: FastifyRequest, publicUrl: string | null): void {
  const { headers, server } = request;
  const site = headers['sec-fetch-site'];
  const isOwn =
    site === undefined
      ? originsOf(publicUrl, server.server.address()).includes(headers.origin ?? '')
      : site === 'same-origin';
  if (!isOwn) throw new Problem('000003', { message: 'This form was sent from another site' });
}

function originsOf(publicUrl: string | null, address: AddressInfo | string | null): readonly string[] {
  if (publicUrl !== null) return [new URL(publicUrl).origin];
  if (address === null || typeof address === 'string') return [];
  const { address: host, port, family } = address;
  const literal = family === 'IPv6' ? `[${host}]` : host;
  return [...new Set([`http://${urlHost(host)}:${port}`, `http://${literal}:${port}`])];
}
