/** Wire shapes of signing in and refreshing. */
import { Type } from 'typebox';
import { out, text } from '#platform/http/fields.ts';

export const SignInBody = Type.Object({
  appKey: text({ description: 'The App Key that the operator handed out.' }),
  secret: text({ description: 'Its Secret.' }),
});

export const RefreshBody = Type.Object({
  token: text({ description: 'The current access token of the sign-in; it may have expired.' }),
  refreshToken: text({ description: 'The refresh token of the same sign-in.' }),
});

export const TokenPairSchema = Type.Object(
  {
    token: out.string({ description: 'The access token.' }),
    refreshToken: out.string({ description: 'The refresh token, valid for 30 days.' }),
    expiresIn: out.integer({ description: 'Seconds that the access token is valid: 172800 (48 hours).' }),
  },
  { $id: 'TokenPair', description: 'A new pair of tokens.' },
);
