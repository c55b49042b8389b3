/** The lanes of a process: one for each gateway that has bounds. */
import type { EmailGateway } from '#gateways/email/gateway.ts';
import type { SmsGateway } from '#gateways/sms/gateway.ts';
import type { Lane } from './lane.ts';

export function lanesOf({
  sms,
  email,
}: {
  readonly sms: SmsGateway;
  readonly email: EmailGateway;
}): readonly Lane[] {
  return [...(sms.members ?? [sms]), email].flatMap(({ lane }) => (lane === undefined ? [] : [lane]));
}
