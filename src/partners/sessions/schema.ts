/** Wire shapes of signing in and refreshing (document, 2.5). */
import { Type } from 'typebox';
import { out, text } from '#http/fields.ts';

export const PartnerHeader = Type.Object({
  'x-partner-id': Type.Optional(
    Type.String({ description: 'Your partner id.', examples: ['01900000-0000-7000-8000-000000000001'] }),
  ),
});

export const SignInBody = Type.Object({
  appKey: text({ description: 'The App Key that the operator handed out.', examples: ['ptl_key_demo'] }),
  secret: text({ description: 'Its Secret.', examples: ['ptl_secret_demo'] }),
});

export const RefreshBody = Type.Object({
  token: text({ description: 'The current access token of the sign-in; it may have expired.' }),
  refreshToken: text({ description: 'The refresh token of the same sign-in.' }),
});

export const TokenPairSchema = Type.Object(
  {
    token: out.string({ description: 'The access token.' }),
    refreshToken: out.string(),
    expiresIn: out.integer({ description: 'Seconds that the access token is valid: 172800 (48 hours).' }),
  },
  { $id: 'TokenPair' },
);
