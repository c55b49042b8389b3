/** Settings of Twilio. */
import { ConfigError, type Environment, secret } from '../environment.ts';
import { providerUrl } from './provider-url.ts';

export interface TwilioSettings {
  readonly name: 'twilio';
  /** Of the API; another one for an edge or a region. Without a slash at its end. */
  readonly url: string;
  readonly accountSid: string;
  /** Twilio signs its own requests with it. */
  readonly authToken: string;
  /** What our requests are authenticated by: an API key, or the account and its token. */
  readonly username: string;
  readonly password: string;
  /** Who sends where a workshop has no sender of its own. */
  readonly sender: TwilioSender;
}

export type TwilioSender = { readonly from: string } | { readonly messagingServiceSid: string };

/** A number, a short code, or a name of up to 11 characters with a letter. */
const senderForm = /^(?:\+\d{7,15}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 +&_-]{1,11})$/;

/** An id of Twilio's: two letters that say of what, 32 hexadecimal digits. */
function sid(env: Environment, name: string, prefix: string): string | null {
  const text = env[name];
  if (text === undefined || text === '') return null;
  if (!new RegExp(`^${prefix}[0-9a-f]{32}$`, 'i').test(text)) {
    throw new ConfigError(
      `${name} must be ${prefix} and 32 hexadecimal digits, as Twilio's console shows it`,
    );
  }
  return text;
}

function senderOf(env: Environment): TwilioSender {
  const from = env['TWILIO_FROM'] || null;
  const messagingServiceSid = sid(env, 'TWILIO_MESSAGING_SERVICE_SID', 'MG');
  if (from !== null && messagingServiceSid !== null) {
    throw new ConfigError('TWILIO_FROM and TWILIO_MESSAGING_SERVICE_SID are both set: keep one');
  }
  if (messagingServiceSid !== null) return { messagingServiceSid };
  if (from === null) throw new ConfigError('TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID must be set');
  if (!senderForm.test(from)) {
    throw new ConfigError(
      'TWILIO_FROM must be a number such as +61400000000, or a name of up to 11 characters',
    );
  }
  return { from };
}

export function readTwilio(env: Environment): TwilioSettings {
  const accountSid = sid(env, 'TWILIO_ACCOUNT_SID', 'AC');
  if (accountSid === null) throw new ConfigError('TWILIO_ACCOUNT_SID must be set');
  const authToken = secret(env, 'TWILIO_AUTH_TOKEN');
  const apiKey = sid(env, 'TWILIO_API_KEY', 'SK');
  if (apiKey === null && (env['TWILIO_API_SECRET'] || env['TWILIO_API_SECRET_FILE'])) {
    throw new ConfigError('TWILIO_API_KEY must be set where TWILIO_API_SECRET is');
  }
  return {
    name: 'twilio',
    url: providerUrl(env, 'TWILIO_URL', 'https://api.twilio.com'),
    accountSid,
    authToken,
    username: apiKey ?? accountSid,
    password: apiKey === null ? authToken : secret(env, 'TWILIO_API_SECRET'),
    sender: senderOf(env),
  };
}
