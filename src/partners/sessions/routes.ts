/** POST /auth/token and POST /auth/refresh. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import { ref } from '#http/fields.ts';
import { noSecurity, problems } from '#http/openapi.ts';
import { answerError, toProblem } from '#http/problem.ts';
import type { Authenticator } from './authenticate.ts';
import { refreshExamples, signInExamples } from './examples.ts';
import { partnerHeader } from './partner-header.ts';
import { refresh } from './refresh.ts';
import { PartnerHeader, RefreshBody, SignInBody, TokenPairSchema } from './schema.ts';
import { signIn } from './sign-in.ts';
import { accessTokenLifeSeconds, type TokenPair } from './tokens.ts';

type TokenPairAnswer = TokenPair & { expiresIn: number };
const TokenPairRef = ref<TokenPairAnswer>('TokenPair');

export const sessionComponents = [TokenPairSchema];

function refreshFailure(error: unknown): unknown {
  const problem = toProblem(error);
  if (problem?.status !== 400 || problem.errorCode === '010002') return error;
  const { message, errors } = problem;
  return new Problem('010002', { message, ...(errors && { errors }) });
}

export function sessionRoutes(context: Context, authenticator: Authenticator): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/auth/token',
      {
        schema: {
          operationId: 'signIn',
          tags: ['Authentication'],
          security: noSecurity,
          summary: 'Sign in',
          description:
            'Exchanges an App Key and its Secret for an access token (48 hours) and a refresh token (30 days). ' +
            'After ten failures within a minute from one address the answer is 429.',
          headers: PartnerHeader,
          body: SignInBody,
          examples: signInExamples,
          response: {
            200: TokenPairRef,
            ...problems({ 400: ['000001'], 401: ['010001', '010003'], 429: [] }),
          },
        },
      },
      async (request, reply) => {
        const { appKey, secret } = request.body;
        const pair = await signIn(
          context,
          { partnerId: partnerHeader(request), appKey, secret },
          { address: request.ip, onLimit: (headers) => reply.headers(headers) },
        );
        return { ...pair, expiresIn: accessTokenLifeSeconds };
      },
    );

    app.post(
      '/auth/refresh',
      {
        // Every refresh failure has the same code, that of an invalid body too.
        errorHandler: (error, request, reply) => answerError(refreshFailure(error), request, reply),
        schema: {
          operationId: 'refreshToken',
          tags: ['Authentication'],
          security: noSecurity,
          summary: 'Refresh the access token',
          description:
            'Exchanges the current access token, which may have expired, and the refresh token of the same sign-in ' +
            'for a new pair. No Authorization header is sent. The old access token stays valid until its own 48 hours are over.',
          headers: PartnerHeader,
          body: RefreshBody,
          examples: refreshExamples,
          response: { 200: TokenPairRef, ...problems({ 400: ['000001', '010002'] }) },
        },
      },
      async (request) => {
        const pair = await refresh(context, partnerHeader(request), request.body, authenticator.forget);
        return { ...pair, expiresIn: accessTokenLifeSeconds };
      },
    );
  };
}
