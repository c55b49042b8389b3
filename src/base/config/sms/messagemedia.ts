/** Settings of MessageMedia. */
import { text } from '../kinds.ts';
import { ConfigError, type Environment, read, setting, together, type Values } from '../setting.ts';
import { callbackToken } from './callback-token.ts';
import { providerUrl } from './provider-url.ts';
import { rsaPublicKeys } from './public-keys.ts';

export const messageMediaSettings = {
  apiKey: setting('MESSAGEMEDIA_API_KEY', text(), {
    required: 'must be set',
    help: "MessageMedia's API key (of the kind for Basic authentication).",
  }),
  apiSecret: setting('MESSAGEMEDIA_API_SECRET', text(), {
    required: 'must be set',
    secret: true,
    help: "That key's secret.",
  }),
  /** The key that signs its requests to us; null: they are not signed. */
  publicKeys: setting('MESSAGEMEDIA_PUBLIC_KEY', rsaPublicKeys, {
    secret: true,
    help: 'Its signature key, which checks its own requests. Must be set, unless there is a `MESSAGEMEDIA_CALLBACK_TOKEN`.',
  }),
  /** May be null only if its requests are signed. */
  callbackToken: setting('MESSAGEMEDIA_CALLBACK_TOKEN', callbackToken, {
    secret: true,
    help: 'Where the account has no signature key: what its requests carry (`openssl rand -hex 24`). With both, both are checked.',
  }),
  url: setting('MESSAGEMEDIA_URL', providerUrl, {
    default: 'https://api.messagemedia.com',
    help: 'Its API, in the region of the account.',
  }),
};

type Given = Values<typeof messageMediaSettings>;

export interface MessageMediaSettings extends Given {
  readonly name: 'messagemedia';
  /** Several during a rotation. Empty: its requests are not signed. */
  readonly publicKeys: NonNullable<Given['publicKeys']>;
}

/** Throws ConfigError with all that is wrong. */
export function readMessageMedia(env: Environment): MessageMediaSettings {
  const { publicKeys, callbackToken, ...account } = messageMediaSettings;
  const { own, checks } = together({
    own: () => read(env, account),
    checks: () => checksOf(read(env, { publicKeys, callbackToken })),
  });
  return { name: 'messagemedia', ...own, ...checks };
}

function checksOf({ publicKeys, callbackToken }: Pick<Given, 'publicKeys' | 'callbackToken'>) {
  if (publicKeys === null && callbackToken === null) {
    throw new ConfigError(
      'MESSAGEMEDIA_PUBLIC_KEY must be set, or MESSAGEMEDIA_CALLBACK_TOKEN where the account has no signature keys',
    );
  }
  return { publicKeys: publicKeys ?? [], callbackToken };
}
