/** The relying party of the console's passkeys. */
import type { FastifyRequest } from 'fastify';
import { publicUrl } from '#base/config/public-url.ts';
import type { Context } from '#platform/context.ts';
import { type RelyingParty, relyingPartyOf } from '#product/people/factors/passkeys/relying-party.ts';

export function partyOf({ config }: Pick<Context, 'config'>, { server }: FastifyRequest): RelyingParty {
  const address = server.server.address();
  const port = address !== null && typeof address === 'object' ? address.port : config.port;
  return relyingPartyOf(publicUrl(config), port);
}
