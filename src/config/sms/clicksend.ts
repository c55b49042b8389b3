/** Settings of ClickSend. */
import { ConfigError, type Environment, optionalSecret, secret } from '../environment.ts';
import { callbackToken } from './callback-token.ts';
import { providerUrl } from './provider-url.ts';

export interface ClickSendSettings {
  readonly name: 'clicksend';
  readonly url: string;
  readonly username: string;
  readonly apiKey: string;
  /** Keys of subaccounts that workshops send under, by their user names. */
  readonly subaccounts: ReadonlyMap<string, string>;
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
    subaccounts: subaccounts(env),
    callbackToken: callbackToken(env, 'CLICKSEND_CALLBACK_TOKEN'),
  };
}

/** `user:key,user:key`. The values are in no message: they are secrets. */
function subaccounts(env: Environment): ReadonlyMap<string, string> {
  const name = 'CLICKSEND_SUBACCOUNTS';
  const pairs = (optionalSecret(env, name) ?? '').split(',').map((pair) => pair.trim());
  const found = new Map<string, string>();
  for (const pair of pairs.filter((text) => text !== '')) {
    const [, user = '', key = ''] = /^([^\s:]+):(\S+)$/.exec(pair) ?? [];
    if (user === '' || found.has(user)) {
      throw new ConfigError(`${name} must be user names and their keys, each once: harbour:KEY,carlton:KEY`);
    }
    found.set(user, key);
  }
  return found;
}
