/** The e-mail gateway of the settings. */
import type { EmailConfig } from '#config/email.ts';
import type { Lane } from '#gateways/lane/lane.ts';
import { throttledEmail } from '#gateways/lane/throttled-email.ts';
import type { EmailGateway } from './gateway.ts';

/** Null where no server is configured. The library is loaded when it is needed: it takes 20 MB. */
export async function createEmailGateway(
  { smtp, mailFrom }: EmailConfig,
  laneOf: (gateway: 'smtp') => Lane,
): Promise<EmailGateway | null> {
  if (smtp === null) return null;
  const { smtpGateway } = await import('./smtp.ts');
  const lane = laneOf('smtp');
  return throttledEmail(smtpGateway({ ...smtp, from: mailFrom, connections: lane.concurrency }), lane);
}
