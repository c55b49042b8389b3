/** Warnings about valid settings that look like mistakes. */

import type { SmsGatewayName } from '#base/values/sms-gateways.ts';
import { dkimSettings } from './dkim.ts';
import { type EmailConfig, smtpSettings } from './email.ts';
import type { EnvFile } from './env-file.ts';
import { type PublicUrlSettings, publicUrl } from './public-url.ts';
import { isSandboxAlone } from './sandbox.ts';
import { type Environment, namesReadOf, type Settings } from './setting.ts';
import { clickSendSettings } from './sms/clicksend.ts';
import { kannelSettings } from './sms/kannel.ts';
import { messageMediaSettings } from './sms/messagemedia.ts';
import { smppSettings } from './sms/smpp.ts';
import { twilioSettings } from './sms/twilio.ts';
import type { SmsConfig } from './sms-gateways.ts';
import { renamedSettings, unknownSettings } from './unknown-settings.ts';

/** Warnings about names and the file alone, which can be shown beside faults. */
export function nameWarnings(env: Environment, { path, strayLines }: EnvFile): string[] {
  const lines = strayLines.map((line) => `${path} line ${line} has no = and sets nothing`);
  return [...lines, ...renamedSettings(env), ...unknownSettings(env)];
}

export type WarnedSettings = Omit<PublicUrlSettings, 'smsGateways'> &
  SmsConfig &
  EmailConfig & { readonly secretKey: object | null };

/** Warnings about the settings together. */
export function settingWarnings(env: Environment, envFile: EnvFile, config: WarnedSettings): string[] {
  return [...empty(envFile), ...unused(env, config), ...incomplete(config)];
}

function empty({ path, emptyVariables }: EnvFile): string[] {
  return emptyVariables.map(
    (name) => `${name} is empty in the environment, which counts as not set: the line of ${path} holds`,
  );
}

const gatewaySettings: Readonly<Record<SmsGatewayName, Settings>> = {
  kannel: kannelSettings,
  smpp: smppSettings,
  twilio: twilioSettings,
  messagemedia: messageMediaSettings,
  clicksend: clickSendSettings,
};

/** Settings of a gateway or a mail server that is not in use. */
function unused(env: Environment, { smsGateways, smtp }: WarnedSettings): string[] {
  const named = (group: Settings) =>
    Object.values(group)
      .flatMap(namesReadOf)
      .filter((name) => env[name]);
  const ofGateways = Object.entries(gatewaySettings)
    .filter(([gateway]) => !smsGateways.some((each) => each.name === gateway))
    .map(([gateway, group]) => [named(group), `until PITLANE_SMS_GATEWAYS names ${gateway}`] as const);
  const ofMail = smtp === null ? named({ ...smtpSettings, ...dkimSettings }) : [];
  return [...ofGateways, [ofMail, 'without SMTP_URL'] as const]
    .filter(([names]) => names.length > 0)
    .map(([names, until]) => `${names.join(', ')}: not looked at ${until}`);
}

function incomplete(config: WarnedSettings): string[] {
  const address = publicUrl(config);
  const warnings: string[] = [];
  if (address === null && !isSandboxAlone(config)) {
    warnings.push('PITLANE_PUBLIC_URL is not set: messages have no links to bookings, quotes and reminders');
  }
  if (config.publicUrl?.startsWith('http://') && !isSandboxAlone(config)) {
    warnings.push(
      'PITLANE_PUBLIC_URL begins with http://: what customers and gateways send there can be read on its way',
    );
  }
  for (const gateway of config.smsGateways)
    if (gateway.name === 'twilio' && /\.au1\.twilio\.com$/.test(gateway.url)) {
      warnings.push(
        "TWILIO_URL is Sydney's (AU1), which has no SMS: leave it out, or take Ireland's (https://api.dublin.ie1.twilio.com)",
      );
    }
  if (/^[^@]*\s[^@]*@/.test(config.databaseUrl ?? '')) {
    warnings.push(
      'DATABASE_URL has a space in its user or password: write it as %20, as all programs read it',
    );
  }
  if (config.databaseUrl !== null && config.secretKey === null) {
    warnings.push(
      'PITLANE_SECRET_KEY is not set: this machine uses the one in its data folder, and other processes of the installation need the same',
    );
  }
  return warnings;
}
