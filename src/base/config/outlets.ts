/** Where SMS and e-mails go, in words. */
import type { EmailConfig } from './email.ts';
import type { SmsConfig } from './sms-gateways.ts';

export interface Outlets {
  readonly sms: string;
  readonly email: string;
}

type Gateways = Pick<SmsConfig, 'smsGateways' | 'smsRoute'> & Pick<EmailConfig, 'smtp'>;

const sandbox = 'the sandbox: nothing is sent';

/** `twilio, then kannel`; `mail.example:587`. Names no user and no secret. */
export function outletsOf({ smsGateways, smsRoute, smtp }: Gateways): Outlets {
  const others = smsGateways.map(({ name }) => name).filter((name) => !smsRoute.includes(name));
  const chosen = others.length > 0 ? `; for workshops that have chosen it: ${others.join(', ')}` : '';
  return {
    sms: smsRoute.length === 0 ? sandbox : `${smsRoute.join(', then ')}${chosen}`,
    email: smtp === null ? sandbox : `${smtp.host}:${smtp.port}`,
  };
}

/** The same for programs: `sms` in the order in which they are tried, `email` null for the sandbox. */
export function gatewayNames({ smsGateways, smtp }: Gateways) {
  return { sms: smsGateways.map(({ name }) => name), email: smtp === null ? null : 'smtp' };
}
