/** POST /auth/token and POST /auth/refresh. */
import type { Context } from '#platform/context.ts';
import { type Route, route } from '#platform/http/operation.ts';
import type { Authenticator } from './authenticate.ts';
import * as operations from './operations.ts';
import { partnerIdOf, sentPartner } from './partner-header.ts';
import { refresh } from './refresh.ts';
import { signIn } from './sign-in.ts';
import { accessTokenLifeSeconds as expiresIn } from './tokens.ts';

export function sessionRoutes(context: Context, authenticator: Authenticator): Route[] {
  return [
    route(operations.signIn, async ({ body, request, reply }) => {
      const credentials = { sentPartner: sentPartner(request), ...body };
      const from = {
        address: request.ip,
        onLimit: (headers: Record<string, string>) => void reply.headers(headers),
      };
      return { ...(await signIn(context, credentials, from)), expiresIn };
    }),

    route(operations.refreshToken, async ({ body, request }) => {
      const pair = await refresh(context, partnerIdOf(sentPartner(request)), body, authenticator.forget);
      return { ...pair, expiresIn };
    }),
  ];
}
