/** Settings of ClickSend. */
import { text } from '../kinds.ts';
import { type Environment, read, setting, type Values } from '../setting.ts';
import { callbackToken } from './callback-token.ts';
import { providerUrl } from './provider-url.ts';

export const clickSendSettings = {
  username: setting('CLICKSEND_USERNAME', text(), { required: 'must be set', help: "ClickSend's API user." }),
  apiKey: setting('CLICKSEND_API_KEY', text(), {
    required: 'must be set',
    secret: true,
    help: "That user's key.",
  }),
  callbackToken: setting('CLICKSEND_CALLBACK_TOKEN', callbackToken, {
    required: 'must be set',
    secret: true,
    help: "What ClickSend's own requests carry, since it does not sign them: `openssl rand -hex 24`.",
  }),
  url: setting('CLICKSEND_URL', providerUrl, { default: 'https://rest.clicksend.com', help: 'Its API.' }),
};

export interface ClickSendSettings extends Values<typeof clickSendSettings> {
  readonly name: 'clicksend';
}

export function readClickSend(env: Environment): ClickSendSettings {
  return { name: 'clicksend', ...read(env, clickSendSettings) };
}
