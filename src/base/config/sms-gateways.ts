/** Which SMS gateways are configured, and the settings of each. */
import { type SmsGatewayName, smsGatewayNames } from '#base/values/sms-gateways.ts';
import { entriesOf, mapped, url } from './kinds.ts';
import { ConfigError, type Environment, type Kind, read, setting, together, type Values } from './setting.ts';
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

/** The sender that a gateway's settings name for workshops without one of their own; null: the gateway or its provider decides. */
export function ownSenderOf(settings: SmsGatewaySettings): string | null {
  switch (settings.name) {
    case 'twilio':
      return 'from' in settings.sender ? settings.sender.from : null;
    case 'smpp':
      return settings.source;
    default:
      return null;
  }
}

export interface SmsConfig {
  /** The address at which gateways reach this installation, without a slash at its end; null if it is not set. */
  readonly publicUrl: string | null;
  /** Every gateway that is configured; empty means that the sandbox keeps the SMS. */
  readonly smsGateways: readonly SmsGatewaySettings[];
  /** The names of the default gateways of workshops, in the order of tries. */
  readonly smsGatewayOrder: readonly SmsGatewayName[];
}

const readers: { readonly [Name in SmsGatewayName]: (env: Environment) => SmsGatewaySettings } = {
  kannel: readKannel,
  smpp: readSmpp,
  twilio: readTwilio,
  messagemedia: readMessageMedia,
  clicksend: readClickSend,
};

const gatewayNames: Kind<readonly SmsGatewayName[]> = {
  form: smsGatewayNames.map((name) => `\`${name}\``).join(', '),
  parse: (given, name) =>
    entriesOf(given).map((entry) => {
      const known = smsGatewayNames.find((gateway) => gateway === entry);
      if (known !== undefined) return known;
      throw new ConfigError(`${name} names ${entry}, which is not one of: ${smsGatewayNames.join(', ')}`);
    }),
};

const publicUrl = mapped(url(['http:', 'https:']), (given, name) => {
  if (!/[?#%\s]/.test(given)) return given.replace(/\/+$/, '');
  throw new ConfigError(`${name} must be an address alone, such as https://pitlane.example.com`);
});

export const smsSettings = {
  smsGatewayOrder: setting('PITLANE_SMS_GATEWAYS', gatewayNames, {
    default: '',
    help: 'SMS gateways in the order in which they are tried. Without one the sandbox keeps SMS. See [gateways](../gateways.md).',
  }),
  others: setting('PITLANE_SMS_OPTIONAL_GATEWAYS', gatewayNames, {
    formerly: 'PITLANE_SMS_OTHER_GATEWAYS',
    default: '',
    help: 'Gateways that only workshops go through that have chosen them: `pitlane workshop set <id> --sms-gateways <names>`.',
  }),
  publicUrl: setting('PITLANE_PUBLIC_URL', publicUrl, {
    help: 'Where customers reach its pages, and SMS gateways report. Without it notices have no link to the booking. Must be set with a gateway other than `smpp`.',
    example: 'https://pitlane.example.com',
  }),
};

/** Settings of unlisted gateways are not read, so they may be incomplete. Throws ConfigError. */
export function readSmsConfig(env: Environment): SmsConfig {
  const { publicUrl: address, ...names } = smsSettings;
  // Read apart, so that a bad address does not hide faults of the gateways.
  const { own, gateways } = together({
    own: () => read(env, { address }),
    gateways: () => readGateways(env, read(env, names)),
  });
  return { publicUrl: own.address, ...gateways };
}

type Names = Pick<Values<typeof smsSettings>, 'smsGatewayOrder' | 'others'>;

function readGateways(env: Environment, { smsGatewayOrder, others }: Names): Omit<SmsConfig, 'publicUrl'> {
  const all = [...smsGatewayOrder, ...others];
  if (new Set(all).size < all.length) {
    throw new ConfigError('PITLANE_SMS_GATEWAYS and PITLANE_SMS_OPTIONAL_GATEWAYS name a gateway twice');
  }
  if (all.length > 0 && smsGatewayOrder.length === 0) {
    throw new ConfigError('PITLANE_SMS_GATEWAYS must be set where PITLANE_SMS_OPTIONAL_GATEWAYS is');
  }
  const { smsGateways } = together({
    address: () => requireAddress(all, env),
    smsGateways: () => Object.values(together(all.map((name) => () => readers[name](env)))),
  });
  return { smsGateways, smsGatewayOrder };
}

/** SMPP hears everything over its own connection; the others call. */
function requireAddress(gateways: readonly SmsGatewayName[], env: Environment): void {
  if (env[smsSettings.publicUrl.name] || gateways.every((name) => name === 'smpp')) return;
  throw new ConfigError(
    'PITLANE_PUBLIC_URL must be set: the address at which the SMS gateway reaches this service with reports and answers',
  );
}
