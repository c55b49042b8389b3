/** Reads and writes cookies. */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The value of a cookie, the first of a repeated one; undefined: the request has none of that name. */
export function readCookie({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

export interface NewCookie {
  readonly name: string;
  /** Empty with 0 seconds takes it back. */
  readonly value: string;
  /** `/` unless given. */
  readonly path?: string;
  readonly seconds: number;
  /** Sent over https alone. */
  readonly isSecure: boolean;
}

/** Out of reach of scripts, and not sent with other sites' forms. */
export function writeCookie(
  reply: FastifyReply,
  { name, value, path = '/', seconds, isSecure }: NewCookie,
): void {
  const secure = isSecure ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}
