/** Which SMS gateways there are to choose from, and the settings of each. */
import { ConfigError, type Environment, secret, url } from './environment.ts';

export interface KannelSettings {
  readonly name: 'kannel';
  /** Of smsbox's sendsms. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** What Kannel's own requests to us must carry. */
  readonly callbackToken: string;
}

export type SmsGatewaySettings = KannelSettings;

/** Kannel expands `%` in the URLs that it calls, and others may log what has to be escaped in another form. */
const plainToken = /^[\w-]{16,}$/;

function callbackToken(env: Environment, name: string): () => string {
  const read = secret(env, name);
  return () => {
    const token = read();
    if (!plainToken.test(token)) {
      throw new ConfigError(`${name} must be 16 or more letters, digits, - and _: openssl rand -hex 24`);
    }
    return token;
  };
}

function kannel(env: Environment): () => KannelSettings {
  const sendUrl = url(env, 'KANNEL_URL', ['http:', 'https:']) ?? 'http://127.0.0.1:13013/cgi-bin/sendsms';
  const username = env['KANNEL_USERNAME'];
  const password = secret(env, 'KANNEL_PASSWORD');
  const token = callbackToken(env, 'KANNEL_CALLBACK_TOKEN');
  return () => {
    if (!username) throw new ConfigError('KANNEL_USERNAME must be set');
    const secrets = { password: password(), callbackToken: token() };
    return { name: 'kannel', url: sendUrl, username, ...secrets };
  };
}

function publicUrl(env: Environment): string | null {
  const text = url(env, 'PITLANE_PUBLIC_URL', ['http:', 'https:']);
  if (text !== null && /[?#%\s]/.test(text)) {
    throw new ConfigError('PITLANE_PUBLIC_URL must be an address alone, such as https://pitlane.example.com');
  }
  return text?.replace(/\/+$/, '') ?? null;
}

/** What is not listed in PITLANE_SMS_GATEWAYS may be half set: it is not looked at. Throws ConfigError. */
export function readSmsGateways(env: Environment): {
  publicUrl: string | null;
  smsGateways: readonly SmsGatewaySettings[];
} {
  const settings: ReadonlyMap<string, () => SmsGatewaySettings> = new Map([['kannel', kannel(env)]]);
  const names = (env['PITLANE_SMS_GATEWAYS'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const smsGateways = names.map((name) => {
    const read = settings.get(name);
    if (read === undefined) {
      const known = [...settings.keys()].join(', ');
      throw new ConfigError(`PITLANE_SMS_GATEWAYS names ${name}, which is not one of: ${known}`);
    }
    return read();
  });
  if (new Set(names).size < names.length) {
    throw new ConfigError('PITLANE_SMS_GATEWAYS names a gateway twice');
  }
  const address = publicUrl(env);
  if (names.length > 0 && address === null) {
    throw new ConfigError(
      'PITLANE_PUBLIC_URL must be set: the address at which the SMS gateway reaches this service with reports and answers',
    );
  }
  return { publicUrl: address, smsGateways };
}
