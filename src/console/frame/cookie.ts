/** The cookies of the console: by the connection they have another name, and over plain http they count only where that is allowed. */
import type { FastifyRequest } from 'fastify';
import { publicUrl } from '#base/config/public-url.ts';
import type { Context } from '#platform/context.ts';
import { elsewhereBecause } from '#platform/http/this-machine.ts';
import { hashSessionToken } from '#product/people/sessions/token.ts';

/** `secure`: encrypted. `plain`: not, and allowed all the same. `refused`: a session may not live on this connection. */
export type Connection = 'secure' | 'plain' | 'refused';

/** It is encrypted where a proxy says so, or the service's address does; plain on this machine, and where `PITLANE_CONSOLE_HTTP` allows it. */
export function connectionOf({ config }: Pick<Context, 'config'>, request: FastifyRequest): Connection {
  if (request.protocol === 'https' || publicUrl(config)?.startsWith('https:')) return 'secure';
  return config.consoleHttp || elsewhereBecause(request) === null ? 'plain' : 'refused';
}

/** A cookie's name on that connection. */
export const nameOn = (connection: Connection, name: string): string =>
  connection === 'secure' ? `__Host-${name}` : name;

/** The value of a cookie as that connection names it; of a repeated one the first. Undefined: there is none, or it may not be used. */
export function cookieOn(
  connection: Connection,
  { headers }: Pick<FastifyRequest, 'headers'>,
  name: string,
): string | undefined {
  if (connection === 'refused') return undefined;
  for (const part of (headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === nameOn(connection, name)) return part.slice(at + 1).trim();
  }
  return undefined;
}

/** What the browser is known by, as a hash; null: it has no name yet. */
export const browserSha256Of = (connection: Connection, request: FastifyRequest): Buffer | null =>
  hashSessionToken(cookieOn(connection, request, 'pitlane-browser') ?? '');

/** The hash of the session's token, whether there is such a session or not; null: the request has none. */
export const sessionSha256Of = (connection: Connection, request: FastifyRequest): Buffer | null =>
  hashSessionToken(cookieOn(connection, request, 'pitlane') ?? '');
