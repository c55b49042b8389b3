/** Which gateways this process sends through. Without a real one there is the sandbox. */
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { Queryable } from './db/database.ts';
import { sandboxEmail } from './gateways/email/sandbox.ts';
import { smtpGateway } from './gateways/email/smtp.ts';
import { sandboxSms } from './gateways/sms/sandbox.ts';
import { sandboxOutbox } from './sandbox/store.ts';

export function chooseGateways(config: Config, db: Queryable, clock: Clock): Pick<Context, 'sms' | 'email' | 'sandbox'> {
  const outbox = sandboxOutbox(db, clock);
  return {
    sms: sandboxSms({ outbox, latencyMs: config.sandboxSmsLatencyMs }),
    email:
      config.smtpUrl === null
        ? sandboxEmail({ outbox, from: config.mailFrom })
        : smtpGateway({ url: config.smtpUrl, from: config.mailFrom }),
    sandbox: true,
  };
}
