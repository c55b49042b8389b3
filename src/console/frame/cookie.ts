/** The cookie of a session. Over plain http it has another name, and counts only where `allowsPlain` says so. */
import type { FastifyRequest } from 'fastify';
import { elsewhereBecause } from '#platform/http/this-machine.ts';

export const secureCookie = '__Host-pitlane';
export const plainCookie = 'pitlane';

/** Whether the browser's connection is encrypted: a proxy says so, or the service's address does. */
export function isEncrypted({ protocol }: FastifyRequest, publicUrl: string | null): boolean {
  return protocol === 'https' || (publicUrl?.startsWith('https:') ?? false);
}

/** Whether a session may live on a connection that is not encrypted: on this machine, and where `PITLANE_CONSOLE_HTTP` allows it. */
export function allowsPlain(request: FastifyRequest, consoleHttp: boolean): boolean {
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
