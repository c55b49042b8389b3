/** The limiters of a process: one for each gateway with bounds. */
import type { EmailGateway } from '#platform/gateways/email/gateway.ts';
import type { SmsGateway } from '#platform/gateways/sms/gateway.ts';
import type { GatewayLimiter } from './limiter.ts';

export function limitersOf({
  sms,
  email,
}: {
  readonly sms: SmsGateway;
  readonly email: EmailGateway;
}): readonly GatewayLimiter[] {
  return [...(sms.members ?? [sms]), email].flatMap(({ limiter }) =>
    limiter === undefined ? [] : [limiter],
  );
}
