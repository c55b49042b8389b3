/** Settings of Kannel. */
import { ConfigError, type Environment, secret, url } from '../environment.ts';
import { callbackToken } from './callback-token.ts';

export interface KannelSettings {
  readonly name: 'kannel';
  /** Of smsbox's sendsms. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** What Kannel's own requests to us must carry. */
  readonly callbackToken: string;
}

export function readKannel(env: Environment): KannelSettings {
  const sendUrl = url(env, 'KANNEL_URL', ['http:', 'https:']) ?? 'http://127.0.0.1:13013/cgi-bin/sendsms';
  const username = env['KANNEL_USERNAME'];
  if (!username) throw new ConfigError('KANNEL_USERNAME must be set');
  return {
    name: 'kannel',
    url: sendUrl,
    username,
    password: secret(env, 'KANNEL_PASSWORD'),
    callbackToken: callbackToken(env, 'KANNEL_CALLBACK_TOKEN'),
  };
}
