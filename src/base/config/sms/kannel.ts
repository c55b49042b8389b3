/** Settings of Kannel. */
import { text, url } from '../kinds.ts';
import { type Environment, read, setting, type Values } from '../setting.ts';
import { callbackToken } from './callback-token.ts';

export const kannelSettings = {
  url: setting('KANNEL_URL', url(['http:', 'https:']), {
    default: 'http://127.0.0.1:13013/cgi-bin/sendsms',
    help: "`sendsms` of Kannel's smsbox.",
  }),
  username: setting('KANNEL_USERNAME', text(), { required: 'must be set', help: 'Its `sendsms-user`.' }),
  password: setting('KANNEL_PASSWORD', text(), {
    required: 'must be set',
    secret: true,
    help: "That user's password.",
  }),
  callbackToken: setting('KANNEL_CALLBACK_TOKEN', callbackToken, {
    required: 'must be set',
    secret: true,
    help: "What Kannel's own requests carry: `openssl rand -hex 24`.",
  }),
};

export interface KannelSettings extends Values<typeof kannelSettings> {
  readonly name: 'kannel';
}

export function readKannel(env: Environment): KannelSettings {
  return { name: 'kannel', ...read(env, kannelSettings) };
}
