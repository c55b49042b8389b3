/** EVERY SETTING ON ONE PAGE, in groups: what the configuration reads, `.env.example` and docs/operations/settings.md show. */
import { commandSettings } from './command-line.ts';
import { consoleSettings } from './console.ts';
import { dkimSettings } from './dkim.ts';
import { mailSettings, smtpSettings } from './email.ts';
import { gatewayLimitSettings } from './gateway-limits.ts';
import { processSettings, sandboxSettings } from './process.ts';
import { retentionSettings } from './retention.ts';
import type { Setting, Settings } from './setting.ts';
import { clickSendSettings } from './sms/clicksend.ts';
import { kannelSettings } from './sms/kannel.ts';
import { messageMediaSettings } from './sms/messagemedia.ts';
import { smppSettings } from './sms/smpp.ts';
import { twilioSettings } from './sms/twilio.ts';
import { smsSettings } from './sms-gateways.ts';
import { smsLimitSettings } from './sms-limits.ts';
import { smsSenderSettings } from './sms-senders.ts';
import { webhookSettings } from './webhooks.ts';

/** By title, in the order of the pages. */
export const settingGroups: Readonly<Record<string, Settings>> = {
  Process: processSettings,
  'The sandbox': sandboxSettings,
  'The console': consoleSettings,
  'SMS gateways': smsSettings,
  Kannel: kannelSettings,
  'A carrier over SMPP 3.4': smppSettings,
  Twilio: twilioSettings,
  MessageMedia: messageMediaSettings,
  ClickSend: clickSendSettings,
  'Senders of SMS': smsSenderSettings,
  'Load of each gateway': gatewayLimitSettings,
  'Limits of SMS': smsLimitSettings,
  'What is kept': retentionSettings,
  'E-mail': { ...mailSettings, ...smtpSettings },
  DKIM: dkimSettings,
  Webhooks: webhookSettings,
  Commands: commandSettings,
};

export const allSettings: readonly Setting<unknown>[] = Object.values(settingGroups).flatMap((group) =>
  Object.values(group),
);
