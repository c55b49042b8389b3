/** Settings of ClickSend. */
import { ConfigError, type Environment, secret } from '../environment.ts';
import { callbackToken } from './callback-token.ts';
import { providerUrl } from './provider-url.ts';

export interface ClickSendSettings {
  readonly name: 'clicksend';
  readonly url: string;
  readonly username: string;
  readonly apiKey: string;
  /** What ClickSend's own requests to us must carry: it does not sign them. */
  readonly callbackToken: string;
}

export function readClickSend(env: Environment): ClickSendSettings {
  const username = env['CLICKSEND_USERNAME'];
  if (!username) throw new ConfigError('CLICKSEND_USERNAME must be set');
  return {
    name: 'clicksend',
    url: providerUrl(env, 'CLICKSEND_URL', 'https://rest.clicksend.com'),
    username,
    apiKey: secret(env, 'CLICKSEND_API_KEY'),
    callbackToken: callbackToken(env, 'CLICKSEND_CALLBACK_TOKEN'),
  };
}
