/** Which gateways this process sends through. What has no real one goes to the sandbox. */
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { Queryable } from './db/database.ts';
import type { EmailGateway } from './gateways/email/gateway.ts';
import { sandboxEmail } from './gateways/email/sandbox.ts';
import { createSmsGateways } from './gateways/sms/create.ts';
import { sandboxSms } from './gateways/sms/sandbox.ts';
import { sandboxOutbox } from './sandbox/store.ts';

export async function chooseGateways(
  config: Config,
  db: Queryable,
  clock: Clock,
): Promise<Pick<Context, 'sms' | 'email' | 'sandbox'>> {
  const { smtpUrl, mailFrom } = config;
  const outbox = sandboxOutbox(db, clock);
  return {
    sms: (await createSmsGateways(config)) ?? sandboxSms({ outbox, latencyMs: config.sandboxSmsLatencyMs }),
    email: smtpUrl === null ? sandboxEmail({ outbox, from: mailFrom }) : await smtp(smtpUrl, mailFrom),
    sandbox: usesSandbox(config),
  };
}

/** True when SMS or e-mails go to the sandbox. */
export function usesSandbox({ smsGateways, smtpUrl }: Config): boolean {
  return smsGateways.length === 0 || smtpUrl === null;
}

/** Loaded when it is needed: the library takes 20 MB. */
async function smtp(url: string, from: string): Promise<EmailGateway> {
  const { smtpGateway } = await import('./gateways/email/smtp.ts');
  return smtpGateway({ url, from });
}
