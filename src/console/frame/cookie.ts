/** The cookies of the console. Those of an encrypted connection have the prefix `__Host-`; others count only where `allowsPlain` says so. */
import type { FastifyRequest } from 'fastify';
import { publicUrl } from '#base/config/public-url.ts';
import type { Context } from '#platform/context.ts';
import { elsewhereBecause } from '#platform/http/this-machine.ts';

/** `secure`: encrypted. `plain`: not, and allowed all the same. `refused`: a session may not live on this connection. */
export type Connection = 'secure' | 'plain' | 'refused';

export function connectionOf({ config }: Pick<Context, 'config'>, request: FastifyRequest): Connection {
  if (isEncrypted(request, publicUrl(config))) return 'secure';
  return allowsPlain(request, config.consoleHttp) ? 'plain' : 'refused';
}

/** The name that a cookie has on this connection. */
export const cookieName = (connection: Connection, name: string): string =>
  connection === 'secure' ? `__Host-${name}` : name;

/** The value of a cookie that counts on this connection: on an encrypted one none that plain http, or another host of the site, may have set. */
export function readCookie(
  request: FastifyRequest,
  connection: Connection,
  name: string,
): string | undefined {
  return connection === 'refused' ? undefined : cookieOf(request, cookieName(connection, name));
}

/** Whether the browser's connection is encrypted: a proxy says so, or the service's address does. */
function isEncrypted({ protocol }: FastifyRequest, publicUrl: string | null): boolean {
  return protocol === 'https' || (publicUrl?.startsWith('https:') ?? false);
}

/** Whether a session may live on a connection that is not encrypted: on this machine, and where `PITLANE_CONSOLE_HTTP` allows it. */
function allowsPlain(request: FastifyRequest, consoleHttp: boolean): boolean {
  return consoleHttp || elsewhereBecause(request) === null;
}

/** The value of a cookie; of a repeated one the first. Undefined: there is none. */
export function cookieOf({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}
