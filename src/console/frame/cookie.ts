/**
 * The cookies of the console. Their names depend on the connection; over plain http they are accepted only where that is allowed.
 */
import type { FastifyRequest } from 'fastify';
import { publicUrl } from '#base/config/public-url.ts';
import type { Context } from '#platform/context.ts';
import { readCookie } from '#platform/http/cookies.ts';
import { elsewhereBecause } from '#platform/http/this-machine.ts';
import { hashSessionToken } from '#product/people/sessions/token.ts';

/** `secure`: encrypted. `plain`: not encrypted, but allowed. `refused`: this connection may not have a session. */
export type Connection = 'secure' | 'plain' | 'refused';

/** Encrypted if a proxy or the service's address says so; plain on this machine, and where `PITLANE_CONSOLE_HTTP` allows it. */
export function connectionOf({ config }: Pick<Context, 'config'>, request: FastifyRequest): Connection {
  if (request.protocol === 'https' || publicUrl(config)?.startsWith('https:')) return 'secure';
  return config.consoleHttp || elsewhereBecause(request) === null ? 'plain' : 'refused';
}

/** The cookie's name on this kind of connection. */
export const nameOn = (connection: Connection, name: string): string =>
  connection === 'secure' ? `__Host-${name}` : name;

/**
 * The value of a cookie under its name for this connection; the first of a repeated one. Undefined: it is absent or not allowed.
 */
export function cookieOn(
  connection: Connection,
  request: Pick<FastifyRequest, 'headers'>,
  name: string,
): string | undefined {
  return connection === 'refused' ? undefined : readCookie(request, nameOn(connection, name));
}

/** The browser's id, as a hash; null: it has none yet. */
export const browserSha256Of = (connection: Connection, request: FastifyRequest): Buffer | null =>
  hashSessionToken(cookieOn(connection, request, 'pitlane-browser') ?? '');

/** The hash of the session's token, known or not; null: the request has none. */
export const sessionSha256Of = (connection: Connection, request: FastifyRequest): Buffer | null =>
  hashSessionToken(cookieOn(connection, request, 'pitlane') ?? '');
