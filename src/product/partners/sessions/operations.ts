/** The operations of signing in (specification: Signing in). */
import { ref } from '#platform/http/fields.ts';
import { operation } from '#platform/http/operation.ts';
import { refreshTokenDetails, signInDetails } from './details.ts';
import { refreshExamples, signInExamples } from './examples.ts';
import { RefreshBody, SignInBody, TokenPairSchema } from './schema.ts';

/** Two texts of 255 characters, each of them escaped. Unauthenticated callers may send them. */
const bodyAtMostBytes = 4 * 1024;

export const sessionComponents = [TokenPairSchema];

export const signIn = operation({
  id: 'signIn',
  method: 'POST',
  path: '/auth/token',
  tag: 'Authentication',
  access: 'anyone',
  partnerHeader: true,
  summary: 'Sign in',
  description:
    'Exchanges an App Key and its Secret for an access token (48 hours) and a refresh token (30 days). ' +
    'After ten failures within a minute from one address the answer is 429.',
  details: signInDetails,
  body: SignInBody,
  bodyAtMostBytes,
  success: { status: 200, schema: ref(TokenPairSchema) },
  refusals: { 401: ['010001', '010003'], 429: [] },
  examples: signInExamples,
});

export const refreshToken = operation({
  id: 'refreshToken',
  method: 'POST',
  path: '/auth/refresh',
  tag: 'Authentication',
  access: 'anyone',
  partnerHeader: true,
  summary: 'Refresh the access token',
  description:
    'Exchanges the current access token, which may have expired, and the refresh token of the same sign-in ' +
    'for a new pair. No Authorization header is sent. The old access token stays valid until its own 48 hours are over.',
  details: refreshTokenDetails,
  badRequestCode: '010002',
  body: RefreshBody,
  bodyAtMostBytes,
  success: { status: 200, schema: ref(TokenPairSchema) },
  refusals: {},
  examples: refreshExamples,
});
