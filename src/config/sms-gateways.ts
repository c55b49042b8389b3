/** Which SMS gateways are configured, and the settings of each. */
import type { SmsGatewayName } from '#values/sms-gateways.ts';
import { ConfigError, type Environment, url } from './environment.ts';
import { type ClickSendSettings, readClickSend } from './sms/clicksend.ts';
import { type KannelSettings, readKannel } from './sms/kannel.ts';
import { type MessageMediaSettings, readMessageMedia } from './sms/messagemedia.ts';
import { readSmpp, type SmppSettings } from './sms/smpp.ts';
import { readTwilio, type TwilioSettings } from './sms/twilio.ts';

export type SmsGatewaySettings =
  | KannelSettings
  | SmppSettings
  | TwilioSettings
  | MessageMediaSettings
  | ClickSendSettings;

export interface SmsConfig {
  /** Where gateways reach this installation, without a slash at its end; null when nobody has said so. */
  readonly publicUrl: string | null;
  /** Every gateway that is configured; empty means that the sandbox keeps the SMS. */
  readonly smsGateways: readonly SmsGatewaySettings[];
  /** The names of those that a workshop without a choice of its own goes through, in the order in which they are tried. */
  readonly smsRoute: readonly SmsGatewayName[];
}

const readers: { readonly [Name in SmsGatewayName]: (env: Environment) => SmsGatewaySettings } = {
  kannel: readKannel,
  smpp: readSmpp,
  twilio: readTwilio,
  messagemedia: readMessageMedia,
  clicksend: readClickSend,
};

function publicUrl(env: Environment): string | null {
  const text = url(env, 'PITLANE_PUBLIC_URL', ['http:', 'https:']);
  if (text !== null && /[?#%\s]/.test(text)) {
    throw new ConfigError('PITLANE_PUBLIC_URL must be an address alone, such as https://pitlane.example.com');
  }
  return text?.replace(/\/+$/, '') ?? null;
}

function names(env: Environment, variable: string): SmsGatewayName[] {
  const listed = (env[variable] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const known = listed.filter((name): name is SmsGatewayName => {
    if (Object.hasOwn(readers, name)) return true;
    throw new ConfigError(
      `${variable} names ${name}, which is not one of: ${Object.keys(readers).join(', ')}`,
    );
  });
  return known;
}

/** The settings of a gateway that is not listed may be half there: they are not looked at. Throws ConfigError. */
export function readSmsConfig(env: Environment): SmsConfig {
  const smsRoute = names(env, 'PITLANE_SMS_GATEWAYS');
  const others = names(env, 'PITLANE_SMS_OTHER_GATEWAYS');
  const all = [...smsRoute, ...others];
  if (new Set(all).size < all.length) {
    throw new ConfigError('PITLANE_SMS_GATEWAYS and PITLANE_SMS_OTHER_GATEWAYS name a gateway twice');
  }
  if (others.length > 0 && smsRoute.length === 0) {
    throw new ConfigError('PITLANE_SMS_GATEWAYS must be set where PITLANE_SMS_OTHER_GATEWAYS is');
  }
  const smsGateways = all.map((name) => readers[name](env));
  const address = publicUrl(env);
  // SMPP hears everything over its own connection.
  const callsBack = all.some((name) => name !== 'smpp');
  if (callsBack && address === null) {
    throw new ConfigError(
      'PITLANE_PUBLIC_URL must be set: the address at which the SMS gateway reaches this service with reports and answers',
    );
  }
  return { publicUrl: address, smsGateways, smsRoute };
}
