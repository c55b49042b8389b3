/** Settings of MessageMedia. */
import type { KeyObject } from 'node:crypto';
import { ConfigError, type Environment, optionalSecret, secret } from '../environment.ts';
import { optionalCallbackToken } from './callback-token.ts';
import { providerUrl } from './provider-url.ts';
import { rsaPublicKeys } from './public-keys.ts';

export interface MessageMediaSettings {
  readonly name: 'messagemedia';
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** With which its own requests to us are signed; several while they change. Empty: they are not signed. */
  readonly publicKeys: readonly KeyObject[];
  /** What its requests must carry; null only where they are signed. */
  readonly callbackToken: string | null;
}

export function readMessageMedia(env: Environment): MessageMediaSettings {
  const apiKey = env['MESSAGEMEDIA_API_KEY'];
  if (!apiKey) throw new ConfigError('MESSAGEMEDIA_API_KEY must be set');
  const publicKey = optionalSecret(env, 'MESSAGEMEDIA_PUBLIC_KEY');
  const callbackToken = optionalCallbackToken(env, 'MESSAGEMEDIA_CALLBACK_TOKEN');
  if (publicKey === null && callbackToken === null) {
    throw new ConfigError(
      'MESSAGEMEDIA_PUBLIC_KEY must be set, or MESSAGEMEDIA_CALLBACK_TOKEN where the account has no signature keys',
    );
  }
  return {
    name: 'messagemedia',
    url: providerUrl(env, 'MESSAGEMEDIA_URL', 'https://api.messagemedia.com'),
    apiKey,
    apiSecret: secret(env, 'MESSAGEMEDIA_API_SECRET'),
    publicKeys: publicKey === null ? [] : rsaPublicKeys(publicKey, 'MESSAGEMEDIA_PUBLIC_KEY'),
    callbackToken,
  };
}
