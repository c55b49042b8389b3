/** Settings of ClickSend. */
import { mapped, text } from '../kinds.ts';
import { ConfigError, type Environment, read, setting, type Values } from '../setting.ts';
import { callbackToken } from './callback-token.ts';
import { providerUrl } from './provider-url.ts';

/** `user:key,user:key`. The values are in no fault: they are secrets. */
const subaccounts = mapped(text('`user:key,user:key`'), (given, name): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const pair of given.split(',').map((part) => part.trim())) {
    if (pair === '') continue;
    const [, user = '', key = ''] = /^([^\s:]+):(\S+)$/.exec(pair) ?? [];
    if (user === '' || found.has(user)) {
      throw new ConfigError(`${name} must be user names and their keys, each once: harbour:KEY,carlton:KEY`);
    }
    found.set(user, key);
  }
  return found;
});

export const clickSendSettings = {
  username: setting('CLICKSEND_USERNAME', text(), { required: 'must be set', help: "ClickSend's API user." }),
  apiKey: setting('CLICKSEND_API_KEY', text(), {
    required: 'must be set',
    secret: true,
    help: "That user's key.",
  }),
  subaccounts: setting('CLICKSEND_SUBACCOUNTS', subaccounts, {
    secret: true,
    help: 'Keys of subaccounts that workshops send under.',
  }),
  callbackToken: setting('CLICKSEND_CALLBACK_TOKEN', callbackToken, {
    required: 'must be set',
    secret: true,
    help: "What ClickSend's own requests carry, since it does not sign them: `openssl rand -hex 24`.",
  }),
  url: setting('CLICKSEND_URL', providerUrl, { default: 'https://rest.clicksend.com', help: 'Its API.' }),
};

export interface ClickSendSettings extends Omit<Values<typeof clickSendSettings>, 'subaccounts'> {
  readonly name: 'clicksend';
  /** Keys of subaccounts that workshops send under, by their user names. */
  readonly subaccounts: ReadonlyMap<string, string>;
}

export function readClickSend(env: Environment): ClickSendSettings {
  const { subaccounts, ...rest } = read(env, clickSendSettings);
  return { name: 'clicksend', ...rest, subaccounts: subaccounts ?? new Map() };
}
