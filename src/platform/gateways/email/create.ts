/** Creates the e-mail gateway that the settings name. */
import type { EmailConfig } from '#base/config/email.ts';
import type { GatewayLimiter } from '#platform/gateways/limiter/limiter.ts';
import { throttledEmail } from '#platform/gateways/limiter/throttled-email.ts';
import type { EmailGateway } from './gateway.ts';

/** Null when no server is configured. The library is loaded when it is needed: it takes 20 MB. */
export async function createEmailGateway(
  { smtp, mailFrom, mailVia }: EmailConfig,
  limiterOf: (gateway: 'smtp') => GatewayLimiter,
): Promise<EmailGateway | null> {
  if (smtp === null) return null;
  const { smtpGateway } = await import('./smtp.ts');
  const limiter = limiterOf('smtp');
  return throttledEmail(
    smtpGateway({ ...smtp, from: { ...mailFrom, via: mailVia }, connections: limiter.concurrency }),
    limiter,
  );
}
