/** Where SMS and e-mails go, in words. */
import type { EmailConfig } from './email.ts';
import type { SmsConfig } from './sms-gateways.ts';

export interface Outlets {
  readonly sms: string;
  readonly email: string;
}

type Gateways = Pick<SmsConfig, 'smsGateways' | 'smsGatewayOrder'> & Pick<EmailConfig, 'smtp'>;

const sandbox = 'the sandbox: nothing is sent';

/** `twilio, then kannel`; `mail.example:587`. Names no user and no secret. */
export function outletsOf({ smsGateways, smsGatewayOrder, smtp }: Gateways): Outlets {
  const others = smsGateways.map(({ name }) => name).filter((name) => !smsGatewayOrder.includes(name));
  const chosen = others.length > 0 ? `; for workshops that have chosen it: ${others.join(', ')}` : '';
  return {
    sms: smsGatewayOrder.length === 0 ? sandbox : `${smsGatewayOrder.join(', then ')}${chosen}`,
    email: smtp === null ? sandbox : `${smtp.host}:${smtp.port}`,
  };
}

/** The same as data: `sms` lists gateways in the order of tries, `email` is null for the sandbox. */
export function gatewayNames({ smsGateways, smtp }: Gateways) {
  return { sms: smsGateways.map(({ name }) => name), email: smtp === null ? null : 'smtp' };
}
