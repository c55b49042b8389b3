/** The cookie that a browser keeps for ten minutes after an opt-out in it: without it nobody takes the opt-out back by the link. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { publicUrl } from '#base/config/public-url.ts';
import type { Context } from '#platform/context.ts';
import { readCookie, writeCookie } from '#platform/http/cookies.ts';
import { wayOutPath } from '../way-out.ts';

const cookieName = 'pitlane-stopped';
const keptForSeconds = 600;

type Needed = Pick<Context, 'sealing' | 'clock' | 'config'>;

/** `version`: of the customer, after the opt-out. */
export function keepUndo(
  { sealing, clock, config }: Needed,
  reply: FastifyReply,
  code: string,
  version: number,
) {
  const until = clock.now().getTime() + keptForSeconds * 1_000;
  write(config, reply, code, sealing.seal('wayOut', `${version} ${until}`, code), keptForSeconds);
}

export function forgetUndo({ config }: Needed, reply: FastifyReply, code: string): void {
  write(config, reply, code, '', 0);
}

/** The version of the customer after the opt-out that this browser may take back; null: none. */
export function readUndo({ sealing, clock }: Needed, request: FastifyRequest, code: string): number | null {
  const value = readCookie(request, cookieName) ?? '';
  const [version = '', until = ''] = (sealing.open('wayOut', value, code) ?? '').split(' ');
  return version !== '' && clock.now().getTime() < Number(until) ? Number(version) : null;
}

function write(
  config: Needed['config'],
  reply: FastifyReply,
  code: string,
  value: string,
  seconds: number,
): void {
  const isSecure = publicUrl(config)?.startsWith('https:') === true;
  writeCookie(reply, { name: cookieName, value, path: wayOutPath(code), seconds, isSecure });
}
