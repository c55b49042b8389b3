/** Settings of Twilio. */
import { text } from '../kinds.ts';
import {
  ConfigError,
  type Environment,
  type Kind,
  missing,
  read,
  setting,
  together,
  type Values,
} from '../setting.ts';
import { ownSender } from './own-sender.ts';
import { providerUrl } from './provider-url.ts';

export interface TwilioSettings {
  readonly name: 'twilio';
  /** The API's address; another one for an edge or a region. Without a slash at its end. */
  readonly url: string;
  readonly accountSid: string;
  /** The token with which Twilio signs its requests. */
  readonly authToken: string;
  /** The credentials of our requests: an API key, or the account and its token. */
  readonly username: string;
  readonly password: string;
  /** The sender for workshops without a sender of their own. */
  readonly sender: TwilioSender;
  /** The address of the Consent API, without a slash at its end; null: it is not used. */
  readonly consentUrl: string | null;
}

export type TwilioSender = { readonly from: string } | { readonly messagingServiceSid: string };

/** An id of Twilio's: two letters that say of what, 32 hexadecimal digits. */
function sid(prefix: string): Kind<string> {
  return {
    form: `\`${prefix}…\``,
    parse(given, name) {
      if (new RegExp(`^${prefix}[0-9a-f]{32}$`, 'i').test(given)) return given;
      throw new ConfigError(
        `${name} must be ${prefix} and 32 hexadecimal digits, as Twilio's console shows it`,
      );
    },
  };
}

export const twilioSettings = {
  accountSid: setting('TWILIO_ACCOUNT_SID', sid('AC'), {
    required: 'must be set',
    help: "Twilio's account.",
  }),
  authToken: setting('TWILIO_AUTH_TOKEN', text(), {
    required: 'must be set',
    secret: true,
    help: "Its token: signs Twilio's own requests, and ours unless there is an API key.",
  }),
  apiKey: setting('TWILIO_API_KEY', sid('SK'), { help: 'An API key to send with.' }),
  apiSecret: setting('TWILIO_API_SECRET', text(), { secret: true, help: "That key's secret." }),
  from: setting('TWILIO_FROM', ownSender, {
    help: 'Who sends where a workshop has no sender of its own.',
    example: '+61400000000',
  }),
  messagingServiceSid: setting('TWILIO_MESSAGING_SERVICE_SID', sid('MG'), {
    help: 'Or a messaging service that chooses.',
  }),
  url: setting('TWILIO_URL', providerUrl, {
    default: 'https://api.twilio.com',
    help: "Twilio's API, in the region of the account: Ireland has SMS too (`https://api.dublin.ie1.twilio.com`), Sydney has none.",
  }),
  consentUrl: setting('TWILIO_CONSENT_URL', providerUrl, {
    help: "Twilio's Consent API, which Twilio opens on request: opting in again ends a STOP at Twilio too.",
    example: 'https://accounts.twilio.com',
  }),
};

type Given = Values<typeof twilioSettings>;

/** Throws ConfigError with every fault, such as a missing sender. */
export function readTwilio(env: Environment): TwilioSettings {
  const { from, messagingServiceSid, apiKey, apiSecret, ...account } = twilioSettings;
  const { own, key, sender } = together({
    own: () => read(env, account),
    key: () => keyOf(read(env, { apiKey, apiSecret })),
    sender: () => senderOf(read(env, { from, messagingServiceSid })),
  });
  const { url, accountSid, authToken, consentUrl } = own;
  const signIn = key ?? { username: accountSid, password: authToken };
  return { name: 'twilio', url, accountSid, authToken, ...signIn, sender, consentUrl };
}

/** Null: the account and its token sign in. */
function keyOf({ apiKey, apiSecret }: Pick<Given, 'apiKey' | 'apiSecret'>) {
  if (apiKey === null && apiSecret === null) return null;
  if (apiKey === null) throw missing(twilioSettings.apiKey, 'must be set where TWILIO_API_SECRET is');
  if (apiSecret === null) throw missing(twilioSettings.apiSecret);
  return { username: apiKey, password: apiSecret };
}

function senderOf({ from, messagingServiceSid }: Pick<Given, 'from' | 'messagingServiceSid'>): TwilioSender {
  if (from !== null && messagingServiceSid !== null) {
    throw new ConfigError('TWILIO_FROM and TWILIO_MESSAGING_SERVICE_SID are both set: keep one');
  }
  if (messagingServiceSid !== null) return { messagingServiceSid };
  if (from !== null) return { from };
  throw new ConfigError('TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID must be set');
}
