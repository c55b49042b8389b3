/** The gateways that an SMS gateway consists of: those of its list, or itself. */
import type { SmsGateway } from './gateway.ts';

export const membersOf = (sms: SmsGateway): readonly SmsGateway[] => sms.members ?? [sms];

/** Undefined when no gateway has this name. */
export function memberNamed(sms: SmsGateway, name: string): SmsGateway | undefined {
  return membersOf(sms).find((member) => member.name === name);
}
