/** Settings of webhooks. */
import { either } from './kinds.ts';
import { setting, type Values } from './setting.ts';

export const webhookSettings = {
  webhooksAllowPrivate: setting('PITLANE_WEBHOOKS_ALLOW_PRIVATE', either('on', 'off'), {
    default: 'off',
    help: 'For development: `on` lets webhooks go to `http` and to addresses of this machine and of private networks. Refused when `HOST` is open to others.',
  }),
};

export type WebhookConfig = Values<typeof webhookSettings>;
